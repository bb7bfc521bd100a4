//! The bare loop over standard input and output, blocking.

use std::io::{BufRead as _, BufReader, Write as _};

fn main() -> std::io::Result<()> {
    let mut input = BufReader::with_capacity(64 * 1024, std::io::stdin().lock());
    let mut output = std::io::stdout().lock();
    let (mut line, mut out) = (Vec::new(), Vec::new());
    while input.read_until(b'\n', &mut line)? > 0 {
        if matches!(limit::answer(&line, &mut out), limit::Todo::Wait) {
            std::thread::sleep(limit::SLOW);
        }
        line.clear();
        // Whatever came together goes out together.
        if !input.buffer().contains(&b'\n') {
            output.write_all(&out)?;
            output.flush()?;
            out.clear();
        }
    }
    Ok(())
}
