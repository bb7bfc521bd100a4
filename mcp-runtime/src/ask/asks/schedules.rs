//! Questions, their answers, and the end of a session.

use super::*;
use crate::sync::schedules::explore;
use serde_json::json;
use shuttle::future::block_on;
use shuttle::sync::mpsc::{Sender, channel};
use shuttle::thread;

/// The client: it is told of each message.
struct Client(Mutex<Sender<Vec<u8>>>);

impl Outlet for Client {
    fn send(&self, message: Vec<u8>) -> bool {
        self.0.lock().expect("whole").send(message).is_ok()
    }
}

#[test]
fn a_question_has_one_answer_or_the_session_has_ended() {
    // Its clock stands still: nobody is out of patience.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime");
    let _inside = runtime.enter();
    explore("asks", || {
        let (asks, (sender, messages)) = (Arc::<Asks>::default(), channel());
        let outlet: Arc<dyn Outlet> = Arc::new(Client(Mutex::new(sender)));
        let answering = thread::spawn({
            let asks = Arc::clone(&asks);
            move || {
                // Nothing comes when the session has ended before.
                let Ok(message) = messages.recv() else { return };
                let message: Value = serde_json::from_slice(&message).expect("JSON");
                let id = message["id"].to_string();
                for answer in ["1", "2"] {
                    let (id, answer) = (Json::of(&id).and_then(Id::new), Json::of(answer));
                    asks.resolve(id.expect("an id"), Ok(answer.expect("JSON")));
                }
            }
        });
        let closing = thread::spawn({
            let asks = Arc::clone(&asks);
            move || asks.close()
        });
        match block_on(asks.ask(&outlet, "roots/list", &json!({}))) {
            Ok(answer) => assert_eq!(answer, 1, "the first answer counts"),
            Err(error) => assert_eq!(error.to_string(), "the client's session has ended"),
        }
        drop(outlet);
        answering.join().expect("it ends");
        closing.join().expect("it ends");
        assert!(asks.lock().requests.is_empty());
    });
}
