//! The bare loop over standard input and output, in tokio: one task reads and answers, calls that wait are tasks.

use limit::Todo;
use std::cell::RefCell;
use std::os::fd::AsFd as _;
use std::rc::Rc;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::unix::pipe;
use tokio::sync::Notify;

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let input = pipe::Receiver::from_owned_fd(std::io::stdin().as_fd().try_clone_to_owned()?)?;
    let mut output = pipe::Sender::from_owned_fd(std::io::stdout().as_fd().try_clone_to_owned()?)?;
    let mut input = BufReader::with_capacity(64 * 1024, input);
    let late = Rc::new((RefCell::new(Vec::new()), Notify::new()));
    let tasks = tokio::task::LocalSet::new();
    tasks
        .run_until(async {
            let (mut line, mut out) = (Vec::new(), Vec::new());
            loop {
                tokio::select! {
                    read = input.read_until(b'\n', &mut line) => {
                        if read? == 0 {
                            return Ok(());
                        }
                        let begin = out.len();
                        if let Todo::Wait = limit::answer(&line, &mut out) {
                            let (answer, late) = (out.split_off(begin), Rc::clone(&late));
                            tokio::task::spawn_local(async move {
                                tokio::time::sleep(limit::SLOW).await;
                                late.0.borrow_mut().extend_from_slice(&answer);
                                late.1.notify_one();
                            });
                        }
                        line.clear();
                    }
                    () = late.1.notified() => out.append(&mut late.0.borrow_mut()),
                }
                if !input.buffer().contains(&b'\n') && !out.is_empty() {
                    output.write_all(&out).await?;
                    out.clear();
                }
            }
        })
        .await
}
