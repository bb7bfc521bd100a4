//! Books a seat on a boat: asks which one, holds it, asks whether it shall be booked.
//!
//! The tool is one plain function. A client with a session is asked while the function waits; a client of the stateless
//! revision gets the question as the result of its call, and calls again with the answer.
//!
//! ```sh
//! cargo run --example booking -- read booking://seats
//! cargo run --example booking -- serve --http 127.0.0.1:8080
//! ```

use mcp_runtime::Server;
use mcp_runtime::prelude::*;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A side of the boat.
#[mcp_type]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Side {
    #[schemars(title = "Port (left)")]
    Port,
    #[schemars(title = "Starboard (right)")]
    Starboard,
}

/// The form for a seat.
#[mcp_type]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Seat {
    /// The row, counted from the bow.
    #[arg(min = 1, max = 30)]
    row: u8,
    /// The side of the boat.
    side: Side,
    /// At the window?
    #[arg(default = true)]
    window: bool,
}

/// The form for the confirmation.
#[mcp_type]
struct Confirmation {
    /// Book the seat?
    book: bool,
}

/// Books a seat. The passenger is asked which one, and once more before it is booked.
#[mcp_tool(requires(elicitation))]
async fn book_seat(cx: Context, boat: State<Boat>) -> Result<String, ToolError> {
    let seat = match cx.elicit::<Seat>("Which seat would you like?").await? {
        Elicited::Accepted(seat) => seat,
        Elicited::Declined => return Ok("The passenger does not want a seat. Nothing was booked.".to_owned()),
        Elicited::Cancelled => return Ok("The passenger has not chosen a seat. Nothing was booked.".to_owned()),
    };
    // Held once, even if this function runs again for the answer to the next question.
    let ticket: u32 = cx.once("hold", async { boat.hold(seat) }).await?;
    match cx.elicit::<Confirmation>(format!("{seat} is held for you. Book it?")).await? {
        Elicited::Accepted(Confirmation { book: true }) => {
            boat.book(seat, ticket)?;
            Ok(format!("{seat} is booked, ticket {ticket}."))
        }
        Elicited::Accepted(_) | Elicited::Declined => {
            boat.release(seat, ticket);
            Ok(format!("The passenger does not want {seat}. It is free again."))
        }
        Elicited::Cancelled => {
            boat.release(seat, ticket);
            Ok(format!("The passenger has not confirmed {seat}. It is free again."))
        }
    }
}

/// The seats that are booked.
#[mcp_resource(uri = "booking://seats")]
fn seats(boat: State<Boat>) -> String {
    let booked: Vec<String> = boat.booked().iter().map(ToString::to_string).collect();
    if booked.is_empty() { "No seat is booked.".to_owned() } else { booked.join("\n") }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.side == Side::Port { "port" } else { "starboard" };
        let place = if self.window { "window" } else { "aisle" };
        write!(f, "Row {}, {side} {place}", self.row)
    }
}

/// A seat that nobody confirms is free again after this time.
const HOLD: Duration = Duration::from_secs(10 * 60);

/// The boat's seats, in memory. With several instances this is a database.
#[derive(Default)]
struct Boat(Mutex<Plan>);

#[derive(Default)]
struct Plan {
    last_ticket: u32,
    taken: BTreeMap<Seat, Taken>,
}

/// Who has a seat: the ticket, and until when if it is only held.
struct Taken {
    ticket: u32,
    until: Option<Instant>,
}

impl Taken {
    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| until <= Instant::now())
    }
}

impl Boat {
    /// Holds a free seat and gives a ticket for it.
    fn hold(&self, seat: Seat) -> Result<u32, ToolError> {
        let mut plan = self.plan();
        if plan.taken.get(&seat).is_some_and(|taken| !taken.is_over()) {
            return Err(ToolError::new(format!("{seat} is taken. Call again to choose another one.")));
        }
        plan.last_ticket += 1;
        let ticket = plan.last_ticket;
        plan.taken.insert(seat, Taken { ticket, until: Some(Instant::now() + HOLD) });
        Ok(ticket)
    }

    /// Books a seat that the ticket holds. Booking it twice changes nothing.
    fn book(&self, seat: Seat, ticket: u32) -> Result<(), ToolError> {
        match self.plan().taken.get_mut(&seat) {
            Some(taken) if taken.ticket == ticket && !taken.is_over() => {
                taken.until = None;
                Ok(())
            }
            _ => Err(ToolError::new(format!("{seat} is no longer held. Call again to choose a seat."))),
        }
    }

    /// Gives up a seat that the ticket holds and has not booked.
    fn release(&self, seat: Seat, ticket: u32) {
        self.plan().taken.retain(|of, taken| *of != seat || taken.ticket != ticket || taken.until.is_none());
    }

    fn booked(&self) -> Vec<Seat> {
        self.plan().taken.iter().filter(|(_, taken)| taken.until.is_none()).map(|(seat, _)| *seat).collect()
    }

    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn booking() -> Server {
    server!().instructions("The passenger chooses the seat: do not ask for it yourself.").state(Boat::default())
}

mcp_main!(booking());

#[cfg(test)]
mod tests {
    use super::*;
    use mcp_runtime::testing::Client;
    use serde_json::{Value, json};
    use std::collections::VecDeque;
    use std::sync::mpsc;

    const WINDOW: Seat = Seat { row: 12, side: Side::Port, window: true };

    /// Calls `book_seat` in both eras and answers its questions; what was asked and the final text must be the same.
    async fn book(answers: &[Value]) -> (Vec<Value>, String) {
        let (session, stateless) = (book_in("2025-11-25", answers).await, book_in("2026-07-28", answers).await);
        assert_eq!(session, stateless);
        session
    }

    async fn book_in(revision: &str, answers: &[Value]) -> (Vec<Value>, String) {
        let (asked, questions) = mpsc::channel();
        let mut answers = VecDeque::from(answers.to_vec());
        let answer = move |method: &str, params: &Value| {
            assert_eq!(method, "elicitation/create");
            asked.send(params.clone()).expect("the test listens");
            answers.pop_front().expect("no more questions than answers")
        };
        let server = booking().build().expect("a server");
        let mut client = Client::new(&server).revision(revision).answering(answer);
        let text = client.call("book_seat", json!({})).await.expect("a text");
        drop(client);
        (questions.iter().collect(), text)
    }

    fn accept(content: Value) -> Value {
        json!({"action": "accept", "content": content})
    }

    #[tokio::test]
    async fn both_eras_ask_the_same_questions_and_book_the_same_seat() {
        let seat = accept(json!({"row": 12, "side": "port", "window": true}));
        let (questions, text) = book(&[seat, accept(json!({"book": true}))]).await;
        assert_eq!(text, "Row 12, port window is booked, ticket 1.");
        assert_eq!(questions.len(), 2);
        assert_eq!(questions[0]["message"], "Which seat would you like?");
        let fields = &questions[0]["requestedSchema"]["properties"];
        assert_eq!((&fields["row"]["minimum"], &fields["row"]["maximum"]), (&json!(1), &json!(30)));
        assert_eq!(fields["side"]["oneOf"][0], json!({"const": "port", "title": "Port (left)"}));
        assert_eq!(fields["window"]["default"], true);
        assert_eq!(questions[1]["message"], "Row 12, port window is held for you. Book it?");
    }

    #[tokio::test]
    async fn no_is_an_answer_to_either_question() {
        let seat = accept(json!({"row": 3, "side": "starboard", "window": false}));
        let (decline, cancel) = (json!({"action": "decline"}), json!({"action": "cancel"}));
        for (answers, wanted) in [
            (vec![decline.clone()], "The passenger does not want a seat. Nothing was booked."),
            (vec![cancel.clone()], "The passenger has not chosen a seat. Nothing was booked."),
            (vec![seat.clone(), decline], "The passenger does not want Row 3, starboard aisle. It is free again."),
            (vec![seat.clone(), cancel], "The passenger has not confirmed Row 3, starboard aisle. It is free again."),
            (
                vec![seat, accept(json!({"book": false}))],
                "The passenger does not want Row 3, starboard aisle. It is free again.",
            ),
        ] {
            assert_eq!(book(&answers).await.1, wanted);
        }
    }

    #[test]
    fn a_seat_is_held_by_one_ticket_at_a_time() {
        let boat = Boat::default();
        let ticket = boat.hold(WINDOW).expect("a free seat");
        assert!(boat.hold(WINDOW).is_err());
        boat.release(WINDOW, ticket + 1);
        assert!(boat.book(WINDOW, ticket + 1).is_err());
        boat.release(WINDOW, ticket);
        assert!(boat.book(WINDOW, ticket).is_err());
        let ticket = boat.hold(WINDOW).expect("a free seat");
        assert!(boat.book(WINDOW, ticket).is_ok());
        boat.release(WINDOW, ticket);
        assert_eq!(boat.booked(), [WINDOW]);
        assert!(boat.hold(WINDOW).is_err());
    }

    #[test]
    fn the_list_names_booked_seats_only() {
        let boat = State::new(Boat::default());
        assert_eq!(seats(boat.clone()), "No seat is booked.");
        let ticket = boat.hold(WINDOW).expect("a free seat");
        assert_eq!(seats(boat.clone()), "No seat is booked.");
        boat.book(WINDOW, ticket).expect("a held seat");
        assert_eq!(seats(boat), "Row 12, port window");
    }
}
