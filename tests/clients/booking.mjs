// What every client must see of the `booking` example, whether it is asked in a session or in rounds.

import assert from "node:assert/strict";

const SEAT_FORM = {
  type: "object",
  properties: {
    row: { type: "integer", description: "The row, counted from the bow.", minimum: 1, maximum: 30 },
    side: {
      type: "string",
      description: "The side of the boat.",
      oneOf: [
        { const: "port", title: "Port (left)" },
        { const: "starboard", title: "Starboard (right)" },
      ],
    },
    window: { type: "boolean", description: "At the window?", default: true },
  },
  required: ["row", "side"],
};

const CONFIRMATION_FORM = {
  type: "object",
  properties: { book: { type: "boolean", description: "Book the seat?" } },
  required: ["book"],
};

const WHICH = { message: "Which seat would you like?", form: SEAT_FORM };
const held = (seat) => ({ message: `${seat} is held for you. Book it?`, form: CONFIRMATION_FORM });

const accept = (content) => ({ action: "accept", content });
const DECLINE = { action: "decline" };
const CANCEL = { action: "cancel" };

const PORT = accept({ row: 12, side: "port", window: true });
const STARBOARD = accept({ row: 3, side: "starboard", window: false });
const YES = accept({ book: true });
const NO = accept({ book: false });

/** The calls in their order: the passenger's answers, the questions that come, and the final text. */
const CALLS = [
  {
    answers: [PORT, YES],
    questions: [WHICH, held("Row 12, port window")],
    text: "Row 12, port window is booked, ticket 1.",
  },
  { answers: [DECLINE], questions: [WHICH], text: "The passenger does not want a seat. Nothing was booked." },
  { answers: [CANCEL], questions: [WHICH], text: "The passenger has not chosen a seat. Nothing was booked." },
  {
    answers: [STARBOARD, NO],
    questions: [WHICH, held("Row 3, starboard aisle")],
    text: "The passenger does not want Row 3, starboard aisle. It is free again.",
  },
  {
    answers: [STARBOARD, CANCEL],
    questions: [WHICH, held("Row 3, starboard aisle")],
    text: "The passenger has not confirmed Row 3, starboard aisle. It is free again.",
  },
  // The number shows that no seat was ever held twice.
  {
    answers: [STARBOARD, YES],
    questions: [WHICH, held("Row 3, starboard aisle")],
    text: "Row 3, starboard aisle is booked, ticket 4.",
  },
  {
    answers: [PORT],
    questions: [WHICH],
    text: "Row 12, port window is taken. Call again to choose another one.",
    isError: true,
  },
];

/** Answers the questions of a call in their order, and keeps them. */
export class Passenger {
  #answers = [];
  #questions = [];

  /** Begins a call with the answers that its questions will get. */
  expect(answers) {
    this.#answers = [...answers];
    this.#questions = [];
  }

  /** The answer to the parameters of an `elicitation/create`. */
  answer({ message, requestedSchema }) {
    this.#questions.push({ message, form: requestedSchema });
    return this.#answers.shift() ?? { action: "cancel" };
  }

  /** The questions of the call that has ended. */
  get questions() {
    return this.#questions;
  }
}

/** Calls `book_seat` in every way and compares the questions and the results; gives the negotiated revision. */
export async function checkBooking(peer, revision, passenger) {
  const negotiated = await peer.connect();
  assert.equal(negotiated, revision, "negotiated revision");
  for (const { answers, questions, text, isError = false } of CALLS) {
    passenger.expect(answers);
    const result = await peer.call("book_seat", {});
    assert.deepEqual(passenger.questions, questions, `questions before: ${text}`);
    assert.deepEqual(result.content, [{ type: "text", text }], "final text");
    assert.equal(result.isError ?? false, isError, `isError of: ${text}`);
  }
  const { contents } = await peer.read("booking://seats");
  assert.deepEqual(contents.map((content) => content.text), ["Row 3, starboard aisle\nRow 12, port window"], "seats");
  return negotiated;
}
