"""What the client must see of the `booking` example, whether it is asked in a session or in rounds."""

from mcp.types import ElicitResult

from expect import expect, texts

SEAT_FORM = {
    "type": "object",
    "properties": {
        "row": {"type": "integer", "description": "The row, counted from the bow.", "minimum": 1, "maximum": 30},
        "side": {
            "type": "string",
            "description": "The side of the boat.",
            "oneOf": [
                {"const": "port", "title": "Port (left)"},
                {"const": "starboard", "title": "Starboard (right)"},
            ],
        },
        "window": {"type": "boolean", "description": "At the window?", "default": True},
    },
    "required": ["row", "side"],
}

CONFIRMATION_FORM = {
    "type": "object",
    "properties": {"book": {"type": "boolean", "description": "Book the seat?"}},
    "required": ["book"],
}

WHICH = ("Which seat would you like?", SEAT_FORM)
PORT_HELD = ("Row 12, port window is held for you. Book it?", CONFIRMATION_FORM)
STARBOARD_HELD = ("Row 3, starboard aisle is held for you. Book it?", CONFIRMATION_FORM)

PORT = ("accept", {"row": 12, "side": "port", "window": True})
STARBOARD = ("accept", {"row": 3, "side": "starboard", "window": False})
YES = ("accept", {"book": True})
NO = ("accept", {"book": False})
DECLINE = ("decline", None)
CANCEL = ("cancel", None)

# The calls in their order: the passenger's answers, the questions that come, the final text, and whether it is an error.
# The numbers of the tickets show that no seat was ever held twice.
CALLS = [
    ([PORT, YES], [WHICH, PORT_HELD], "Row 12, port window is booked, ticket 1.", False),
    ([DECLINE], [WHICH], "The passenger does not want a seat. Nothing was booked.", False),
    ([CANCEL], [WHICH], "The passenger has not chosen a seat. Nothing was booked.", False),
    (
        [STARBOARD, NO],
        [WHICH, STARBOARD_HELD],
        "The passenger does not want Row 3, starboard aisle. It is free again.",
        False,
    ),
    (
        [STARBOARD, CANCEL],
        [WHICH, STARBOARD_HELD],
        "The passenger has not confirmed Row 3, starboard aisle. It is free again.",
        False,
    ),
    ([STARBOARD, YES], [WHICH, STARBOARD_HELD], "Row 3, starboard aisle is booked, ticket 4.", False),
    ([PORT], [WHICH], "Row 12, port window is taken. Call again to choose another one.", True),
]


class Passenger:
    """Answers the questions of a call in their order, and keeps them."""

    def __init__(self):
        self.answers = []
        self.questions = []

    def expect(self, answers):
        """Begins a call with the answers that its questions will get."""
        self.answers = list(answers)
        self.questions = []

    async def answer(self, _context, params):
        """The client's callback for questions."""
        self.questions.append((params.message, params.requested_schema))
        action, content = self.answers.pop(0) if self.answers else CANCEL
        return ElicitResult(action=action, content=content)


async def check_booking(client, passenger):
    """Calls `book_seat` in every way and compares the questions and the results."""
    for answers, questions, text, is_error in CALLS:
        passenger.expect(answers)
        result = await client.call_tool("book_seat", {})
        expect(f"questions before {text!r}", passenger.questions, questions)
        expect("final text", texts(result.content), [text])
        expect(f"error of {text!r}", bool(result.is_error), is_error)
    contents = (await client.read_resource("booking://seats")).contents
    expect("seats", [content.text for content in contents], ["Row 3, starboard aisle\nRow 12, port window"])
