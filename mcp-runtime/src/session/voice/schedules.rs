//! Threads that speak for one call, and its end.

use super::*;
use crate::sync::schedules::explore;
use shuttle::thread;
use std::sync::Arc;

/// Everything that the client gets, in order.
#[derive(Default)]
struct Client(Mutex<Vec<Vec<u8>>>);

impl Outlet for Client {
    fn send(&self, message: Vec<u8>) -> bool {
        self.0.lock().expect("whole").push(message);
        true
    }
}

#[test]
fn calls_for_one_request_have_one_progress_and_an_end_each() {
    explore("voices", || {
        let (said, client) = (Said::default(), Arc::<Client>::default());
        let attempts = [1_u8, 2].map(|step| {
            let (voice, client) = (Voice::of(Some(said.clone())), Arc::clone(&client));
            thread::spawn(move || {
                voice.report(&*client, step.into(), || vec![step]);
                voice.end();
                voice.report(&*client, 9.0, || vec![9]);
            })
        });
        for thread in attempts {
            thread.join().expect("it ends");
        }
        let got = client.0.lock().expect("whole").concat();
        assert!([&[1, 2][..], &[2]].contains(&&*got), "{got:?}");
    });
}

#[test]
fn progress_increases_and_nothing_comes_behind_the_answer() {
    explore("voice", || {
        let (voice, client) = (Arc::<Voice>::default(), Arc::<Client>::default());
        let speaking = [1_u8, 2].map(|step| {
            let (voice, client) = (Arc::clone(&voice), Arc::clone(&client));
            thread::spawn(move || {
                voice.report(&*client, step.into(), || vec![step]);
                voice.say(&*client, b"log".to_vec());
            })
        });
        voice.end();
        client.send(b"answer".to_vec());
        for thread in speaking {
            thread.join().expect("it ends");
        }
        let got = client.0.lock().expect("whole").clone();
        assert_eq!(got.last().map(Vec::as_slice), Some(&b"answer"[..]), "{got:?}");
        let steps: Vec<_> = got.iter().filter(|message| message.len() == 1).collect();
        assert!(steps.is_sorted(), "{got:?}");
    });
}
