//! The advisories that the repository keeps: of each only what tells whom it concerns, a line each.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::{Result, cargo, process};

const GIT_LIMIT: Duration = Duration::from_secs(60);
/// Kept advisories are too old after so many days.
const STALE: i64 = 180;
/// What the first line says before the date.
const HEADING: &str = "# RustSec advisories until ";

/// One advisory about a package.
#[derive(Debug, PartialEq)]
struct Advisory {
    id: String,
    package: String,
    date: String,
    /// Such as `unmaintained`, if it is no vulnerability.
    kind: Option<String>,
    /// Versions without it, as requirements such as `>= 1.2, < 2`.
    patched: Vec<String>,
    unaffected: Vec<String>,
}

fn path() -> PathBuf {
    cargo::root().join("xtask/advisories.txt")
}

/// What whoever relies on the kept advisories has to know: how old they are, and what to do about it when that is too old. It is no
/// error: nothing may fail because of the calendar alone.
pub(super) fn notice(now: SystemTime) -> Result<String> {
    let text = fs::read_to_string(path()).map_err(|error| format!("{}: {error}", path().display()))?;
    let date = text.lines().next().and_then(|line| line.strip_prefix(HEADING)).unwrap_or_default();
    let since = now.duration_since(SystemTime::UNIX_EPOCH).map_err(|error| error.to_string())?;
    let newest = day(date).ok_or_else(|| format!("{} has no date", path().display()))?;
    Ok(told(date, (since.as_secs() / 86_400) as i64 - newest))
}

fn told(date: &str, days: i64) -> String {
    let age = format!("The database of advisories cannot be reached: those of {date} count, {days} days old.");
    match days > STALE {
        true => format!(
            "WARNING: {age}\nWARNING: What has become known since then is not seen. Where the database can be reached, run\n\
             WARNING:     cargo xtask deny --snapshot\nWARNING: and commit xtask/advisories.txt."
        ),
        false => age,
    }
}

/// The number of a day such as `2000-01-31`, counted from 1970-01-01.
fn day(date: &str) -> Option<i64> {
    let parts: Option<Vec<i64>> = date.split('-').map(|part| part.parse().ok()).collect();
    let &[year, month, day] = parts?.as_slice() else { return None };
    // Counted from March on, a day that a year has more is its last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    Some(365 * year + leap_days + (153 * month + 2) / 5 + day - 719_469)
}

/// Writes the kept advisories from a database.
pub(super) fn take(database: &Path) -> Result {
    let mut advisories = Vec::new();
    for package in entries(&database.join("crates"))? {
        for file in entries(&package)? {
            let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            advisories.extend(Advisory::read(&text).map_err(|error| format!("{}: {error}", file.display()))?);
        }
    }
    advisories.sort_by(|a, b| (&a.package, &a.id).cmp(&(&b.package, &b.id)));
    let newest = advisories.iter().map(|advisory| advisory.date.as_str()).max().unwrap_or_default();
    let lines: String = advisories.iter().map(Advisory::line).collect();
    fs::write(path(), format!("{HEADING}{newest}\n{lines}")).map_err(|error| error.to_string())
}

/// Makes a database of what is kept, in the form that `cargo-deny` reads: a git repository.
pub(super) fn lay_out(database: &Path) -> Result {
    let text = fs::read_to_string(path()).map_err(|error| error.to_string())?;
    if database.exists() {
        fs::remove_dir_all(database).map_err(|error| error.to_string())?;
    }
    for line in text.lines().skip(1) {
        let advisory = Advisory::parse(line).ok_or_else(|| format!("no advisory: {line}"))?;
        let folder = database.join("crates").join(&advisory.package);
        let write = |text: String| {
            fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join(format!("{}.md", advisory.id)), text))
        };
        write(advisory.page()).map_err(|error| error.to_string())?;
    }
    let who = ["-c", "user.name=xtask", "-c", "user.email=xtask@localhost", "-c", "commit.gpgsign=false"];
    let steps: [&[&str]; 3] = [&["init", "--quiet"], &["add", "--all"], &["commit", "--quiet", "--message=Advisories"]];
    steps
        .into_iter()
        .try_for_each(|step| process::run(Command::new("git").current_dir(database).args(who).args(step), GIT_LIMIT))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

impl Advisory {
    /// Reads a page of the database; none if it was taken back.
    fn read(page: &str) -> Result<Option<Self>> {
        let front = page.split("```").nth(1).and_then(|block| block.strip_prefix("toml")).ok_or("no front matter")?;
        let value: toml::Table = front.parse().map_err(|error| format!("{error}"))?;
        let advisory = value.get("advisory").and_then(toml::Value::as_table).ok_or("no advisory")?;
        let text = |key: &str| advisory.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        let versions = |key: &str| {
            let list = value.get("versions").and_then(|versions| versions.get(key)).and_then(toml::Value::as_array);
            list.into_iter().flatten().filter_map(toml::Value::as_str).map(str::to_owned).collect()
        };
        if advisory.contains_key("withdrawn") {
            return Ok(None);
        }
        Ok(Some(Advisory {
            id: text("id").ok_or("no id")?,
            package: text("package").ok_or("no package")?,
            date: text("date").ok_or("no date")?,
            kind: text("informational"),
            patched: versions("patched"),
            unaffected: versions("unaffected"),
        }))
    }

    /// As a line of the kept file.
    fn line(&self) -> String {
        let Advisory { id, package, date, kind, patched, unaffected } = self;
        let kind = kind.as_deref().unwrap_or("vulnerability");
        let line = format!("{package} | {id} | {date} | {kind} | {} | {}", patched.join("; "), unaffected.join("; "));
        format!("{}\n", line.trim_end())
    }

    /// The reverse of [`Advisory::line`].
    fn parse(line: &str) -> Option<Self> {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[package, id, date, kind, patched, unaffected] = parts.as_slice() else { return None };
        let versions = |text: &str| text.split("; ").filter(|text| !text.is_empty()).map(str::to_owned).collect();
        Some(Advisory {
            id: id.to_owned(),
            package: package.to_owned(),
            date: date.to_owned(),
            kind: (kind != "vulnerability").then(|| kind.to_owned()),
            patched: versions(patched),
            unaffected: versions(unaffected),
        })
    }

    /// As a page of a database.
    fn page(&self) -> String {
        let Advisory { id, package, date, kind, patched, unaffected } = self;
        let kind = kind.as_ref().map(|kind| format!("informational = \"{kind}\"\n")).unwrap_or_default();
        format!(
            "```toml\n[advisory]\nid = \"{id}\"\npackage = \"{package}\"\ndate = \"{date}\"\n{kind}\n[versions]\n\
             patched = {patched:?}\nunaffected = {unaffected:?}\n```\n\n# {id}\n\nSee the database of advisories.\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "```toml\n[advisory]\nid = \"RUSTSEC-2000-0001\"\npackage = \"left\"\ndate = \"2000-01-02\"\n\
        informational = \"unsound\"\n\n[versions]\npatched = [\">= 1.2, < 2\", \">= 2.1\"]\n```\n\n# A title\n";

    #[test]
    fn an_advisory_is_the_same_as_page_and_as_line() {
        let advisory = Advisory::read(PAGE).unwrap().unwrap();
        assert_eq!(advisory.line(), "left | RUSTSEC-2000-0001 | 2000-01-02 | unsound | >= 1.2, < 2; >= 2.1 |\n");
        assert_eq!(Advisory::parse(&advisory.line()).as_ref(), Some(&advisory));
        assert_eq!(Advisory::read(&advisory.page()), Ok(Some(advisory)));
    }

    #[test]
    fn days_are_counted_as_calendars_have_them() {
        let days = ["1970-01-01", "1999-12-31", "2000-02-29", "2000-03-01", "2024-12-31", "2025-01-01"].map(day);
        assert_eq!(days, [0, 10_956, 11_016, 11_017, 20_088, 20_089].map(Some));
        assert_eq!((day(""), day("2000-01"), day("2000-x-01")), (None, None, None));
    }

    #[test]
    fn what_is_too_old_is_a_warning_that_says_what_to_do() {
        let fresh = told("2000-01-01", STALE);
        assert!(fresh.contains("those of 2000-01-01 count, 180 days old") && !fresh.contains("WARNING"), "{fresh}");
        let stale = told("2000-01-01", STALE + 1);
        assert!(stale.lines().all(|line| line.starts_with("WARNING: ")), "{stale}");
        assert!(stale.contains("181 days old") && stale.contains("cargo xtask deny --snapshot"), "{stale}");
        assert!(notice(SystemTime::now()).is_ok());
    }

    #[test]
    fn what_was_taken_back_is_left_out() {
        let page = PAGE.replace("\n[versions]", "withdrawn = \"2000-02-01\"\n[versions]");
        assert_eq!(Advisory::read(&page), Ok(None));
        assert!(Advisory::read("# no front matter").is_err());
    }
}
