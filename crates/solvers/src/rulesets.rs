//! The list of rulesets, the choice of a board's ruleset, and warnings about a board.

use std::hash::Hash;
use std::sync::Arc;

use crate::chance::{ByChance, Countable};
use crate::dungeon::ByModel;
use crate::game::{Game, Gameplay};
use crate::maze::ByAssignment;
use crate::searched::{BySearch, Plain};
use getaway_board::fault::{BoardError, Fault, FaultKind, closest_word};
use getaway_board::puzzle::written::is_invisible;
use getaway_board::puzzle::{Format, HEADERS, Header, Puzzle};
use getaway_rules::baddies::Baddies;
use getaway_rules::dungeon::things;
use getaway_rules::jimmy::Jimmy;
use getaway_rules::theseus::Theseus;
use getaway_ruleset::{Deterministic, Legend, Meaning, Notation, Playable};
use getaway_verify::{CertificateReader, Proof, Verifiable, VerifyError};

/// The built-in rulesets. A new one needs its rules in `crates/rules`, and a line here.
pub const RULESETS: &[Entry] = &[
    Entry::solved::<BySearch<Jimmy>>(),
    Entry::solved::<BySearch<Baddies>>(),
    Entry::solved::<ByAssignment>(),
    Entry::solved::<ByModel>().by_chance(),
    Entry::searched::<Theseus>(),
];

/// Returns whether a header key is `seed`, `points` or a setting of any ruleset.
pub fn is_setting(key: &str) -> bool {
    let is_own = |entry: &Entry| entry.settings.contains(&key);
    ["seed", "points"].contains(&key) || RULESETS.iter().any(is_own)
}

pub(crate) type GameCallback<'b> = dyn FnMut(&dyn Game) + 'b;

/// A ruleset in the form that commands use.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name, as used in the header `ruleset`.
    pub name: &'static str,
    /// A summary in one line, which ends with the goal.
    pub summary: &'static str,
    /// The full rules, in Markdown.
    pub rules: &'static str,
    /// The glyphs and their meanings.
    pub legend: Legend,
    /// The ruleset's own settings, as header keys.
    pub settings: &'static [&'static str],
    /// True if its answers include the probability of escape.
    pub is_by_chance: bool,
    /// Returns whether a board's glyphs fit the ruleset.
    pub fits: fn(&Puzzle) -> bool,
    pub(crate) cell: fn(&Puzzle, u32, u32) -> Option<(u32, u32)>,
    /// Reads a board.
    pub read: fn(&Puzzle) -> Result<Box<dyn Game>, BoardError>,
    /// Reads a board and passes the game to a function. This is faster than `read` for small boards, since it needs no box.
    pub(crate) with_game: fn(&Puzzle, &mut GameCallback) -> Result<(), BoardError>,
    /// Checks a certificate's claim and evidence; [`Entry::verify`] checks the rest, such as the board.
    pub(crate) check: fn(&Puzzle, &mut CertificateReader) -> Result<Proof, VerifyError>,
}

impl Entry {
    const fn solved<S: Gameplay<Board: Verifiable>>() -> Self {
        Self::new::<S>(|puzzle, content| read::<S::Board>(puzzle)?.check(content))
    }

    /// Returns a ruleset solved by a search through the positions of a board.
    pub const fn searched<R>() -> Self
    where
        R: Notation + Deterministic<State: Eq + Hash + Send, Move: Send + Sync> + Playable,
        R: Send + Sync + 'static,
    {
        Self::new::<BySearch<Plain<R>>>(|puzzle, content| {
            getaway_verify::check_equality(&read::<R>(puzzle)?, content)
        })
    }

    /// Returns a ruleset of chance, solved by listing all positions of a board.
    pub const fn of_chance<R: Countable>() -> Self {
        Self::new::<ByChance<R>>(|puzzle, content| {
            getaway_verify::check_chance(&read::<R>(puzzle)?, content)
        })
        .by_chance()
    }

    const fn by_chance(self) -> Self {
        Self {
            is_by_chance: true,
            ..self
        }
    }

    const fn new<S: Gameplay>(
        check: fn(&Puzzle, &mut CertificateReader) -> Result<Proof, VerifyError>,
    ) -> Self {
        Self {
            name: S::Board::NAME,
            summary: S::Board::SUMMARY,
            rules: S::Board::RULES,
            legend: S::Board::LEGEND,
            settings: S::Board::SETTINGS,
            is_by_chance: false,
            fits: S::Board::fits,
            cell: S::Board::cell,
            read: |puzzle| Ok(Box::new(S::new(Arc::new(read(puzzle)?)))),
            with_game: |puzzle, to| read(puzzle).map(|board| to(&S::new(Arc::new(board)))),
            check,
        }
    }

    /// Returns the end of the summary, which states the goal.
    pub fn goal(&self) -> &'static str {
        self.summary.rsplit(": ").next().unwrap_or(self.summary)
    }

    /// Returns the text that identifies `puzzle` in certificates.
    pub fn board_text(&self, puzzle: &Puzzle) -> Vec<u8> {
        getaway_verify::board_text(self.name, self.settings, puzzle)
    }

    /// Returns the name of a character's cell or, outside all cells, the character's place in the source.
    pub fn place(&self, puzzle: &Puzzle, row: u32, col: u32) -> String {
        match (self.cell)(puzzle, row, col) {
            Some(cell) => self.legend.place(cell),
            None => puzzle.rows[row as usize].place(col as usize).to_string(),
        }
    }

    /// Verifies a certificate for `puzzle`.
    ///
    /// # Errors
    ///
    /// Returns the reason for rejecting the certificate, or the limit that was reached.
    pub fn verify(
        &self,
        puzzle: &Puzzle,
        content: &mut CertificateReader,
    ) -> Result<Proof, VerifyError> {
        getaway_verify::verify(content, &self.board_text(puzzle), |content| {
            (self.check)(puzzle, content)
        })
    }
}

/// Reads a board. The header `things`, which adds objects and actors to a drawing, is an error if the ruleset has no such
/// setting.
fn read<R: Notation>(puzzle: &Puzzle) -> Result<R, BoardError> {
    if !R::SETTINGS.contains(&things::KEY)
        && let Some(header) = puzzle.header(things::KEY)
    {
        return Err(puzzle.fault(header.key_place, things::foreign()).into());
    }
    R::read(puzzle)
}

/// Returns the ruleset with this name.
pub fn find<'e>(entries: &'e [Entry], name: &str) -> Option<&'e Entry> {
    entries.iter().find(|entry| entry.name == name)
}

/// Returns the ruleset that the board's header names or, without that header, the one that the glyphs fit.
///
/// # Errors
///
/// Fails if the header names none of `entries`, the glyphs fit none or several, or a limit is reached.
pub fn of_board<'e>(entries: &'e [Entry], puzzle: &Puzzle) -> Result<&'e Entry, BoardError> {
    if let Some(header) = puzzle.header("ruleset") {
        return find(entries, &header.value).ok_or_else(|| {
            let known = entries.iter().map(|entry| entry.name).collect();
            let kind = FaultKind::UnknownRuleset(header.value.to_string(), known);
            puzzle.fault(header.place, kind).into()
        });
    }
    let mut fits = entries.iter().filter(|entry| (entry.fits)(puzzle));
    match (fits.next(), fits.next()) {
        (Some(entry), None) => Ok(entry),
        (None, _) => {
            let misfits = misfits(entries, puzzle);
            let nearest = misfits.first();
            let place = nearest.map_or(puzzle.place(), |misfit| misfit.fault.place);
            let kind = FaultKind::NoFittingRuleset(misfits.iter().map(Misfit::reason).collect());
            let error = puzzle.fault(place, kind).into();
            puzzle.check_limits().and(Err(error))
        }
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(fits);
            let kind = FaultKind::SeveralFittingRulesets(all.map(|entry| entry.name).collect());
            Err(puzzle.fault(puzzle.place(), kind).into())
        }
    }
}

struct Misfit<'e> {
    entry: &'e Entry,
    /// The key for sorting, lowest first: true if the runner is missing, and the number of faults, where an unknown glyph counts
    /// as often as it occurs.
    distance: (bool, usize),
    fault: Fault,
}

impl<'e> Misfit<'e> {
    fn of(entry: &'e Entry, puzzle: &Puzzle) -> Self {
        let signs = entry.legend.signs().iter();
        let mut runners = signs
            .filter(|sign| sign.1 == Meaning::Runner)
            .flat_map(|(glyphs, ..)| glyphs.bytes());
        let missing = format!(
            "no `{}` on this board",
            runners.clone().next().map_or(' ', char::from)
        );
        let missing = puzzle.fault(puzzle.place(), FaultKind::other(missing, "add it"));
        let faults = (entry.read)(puzzle)
            .err()
            .map_or_else(Vec::new, |error| error.faults);
        let count = |fault: &Fault| match fault.kind {
            FaultKind::UnknownGlyph { count, .. } => count,
            _ => 1,
        };
        let is_known = |fault: &Fault| !matches!(fault.kind, FaultKind::UnknownGlyph { .. });
        Self {
            entry,
            distance: (
                !runners.any(|glyph| puzzle.glyphs().has(glyph)),
                faults.iter().map(count).sum(),
            ),
            fault: faults.into_iter().min_by_key(is_known).unwrap_or(missing),
        }
    }

    fn reason(&self) -> String {
        let Fault { kind, place, .. } = &self.fault;
        match kind {
            FaultKind::UnknownGlyph { .. } => format!("`{}`: {kind} at {place}", self.entry.name),
            _ => format!("`{}`: {kind}", self.entry.name),
        }
    }
}

/// Returns the reasons why a board fits no ruleset, beginning with the ruleset that it comes closest to.
fn misfits<'e>(entries: &'e [Entry], puzzle: &Puzzle) -> Vec<Misfit<'e>> {
    let misfits = entries.iter().map(|entry| Misfit::of(entry, puzzle));
    let mut misfits: Vec<_> = misfits.collect();
    misfits.sort_by_key(|misfit| misfit.distance);
    misfits
}

/// Returns the ruleset of a board. If [`of_board`] fails, returns the one in which the board has the fewest faults; rulesets
/// whose runner is on the board come first.
pub fn closest<'e>(entries: &'e [Entry], puzzle: &Puzzle) -> &'e Entry {
    if let Ok(entry) = of_board(entries, puzzle) {
        return entry;
    }
    misfits(entries, puzzle)[0].entry
}

/// Returns warnings about ignored text, unknown headers, remarks that look like headers, and oddities that the game reports.
pub fn warnings(entries: &[Entry], entry: &Entry, game: &dyn Game, puzzle: &Puzzle) -> Vec<Fault> {
    let is_known = |key: &str| {
        HEADERS.contains(&key) || entry.settings.contains(&key) || REMARKS.contains(&key)
    };
    let own = game.warnings(puzzle);
    // Most boards of large inputs have no headers.
    if own.is_empty() && puzzle.ignored.is_empty() && puzzle.headers.is_empty() {
        return Vec::new();
    }
    let mut faults = puzzle.ignored.clone();
    faults.append(own);
    for header in &puzzle.headers {
        let is_remark = header.key.is_empty();
        let place = if is_remark {
            header.place
        } else {
            header.key_place
        };
        if header.is_setting() {
            if !is_known(&header.key) {
                faults.note(place, unknown_header(entries, entry, &header.key));
            }
        } else if let Some((key, value)) = intended_header(entries, header) {
            let help = match puzzle.format {
                Format::Text => format!("did you mean `; {key}: {value}`?"),
                Format::JsonLines => format!("did you mean `\"{key}\": \"{value}\"`?"),
            };
            faults.note(
                place,
                FaultKind::other("this remark looks like a header", help),
            );
        }
    }
    let warnings = puzzle.finish(faults).err();
    warnings.map_or_else(Vec::new, |warnings| warnings.faults)
}

/// Returns the header that a remark was probably meant to be: a known or similar key before `=`, a colon or a suitable value, or
/// the key of a setting alone.
fn intended_header<'e>(entries: &'e [Entry], header: &Header) -> Option<(&'e str, String)> {
    let text = match &*header.key {
        "" => header.value.clone(),
        key => format!("{key}: {}", header.value).into(),
    };
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let settings = || entries.iter().flat_map(|entry| entry.settings).copied();
    if let Some(key) = settings().find(|key| *key == text) {
        return Some((key, "VALUE".into()));
    }
    let colon = text.find(ASSIGNMENT_SIGNS).unwrap_or_default();
    let two_words = text[..colon].trim_end().split_once(' ');
    let joined = two_words.map(|(first, second)| format!("{first}{second}{}", &text[colon..]));
    let text = joined.as_deref().unwrap_or(text);
    let (word, rest) = text.split_at(text.find(|c: char| !c.is_alphanumeric() && c != '-')?);
    let is_around =
        |c: char| c.is_whitespace() || is_invisible(c) || "=:\u{ff1a}\"'`*->,;".contains(c);
    let after = rest.trim_start_matches(is_around);
    let value = after.strip_prefix("is ").unwrap_or(after);
    let is_assigned =
        two_words.is_none() && rest[..rest.len() - value.len()].contains(ASSIGNMENT_SIGNS);
    let first = value.split_whitespace().next()?;
    // Most remarks are prose, so this cheap test comes first.
    let may_be_value = |key| is_value(entries, key, first.trim_end_matches(is_around));
    if !is_assigned
        && !["expect", "ruleset", "moves", "exit"]
            .into_iter()
            .any(may_be_value)
    {
        return None;
    }
    let value = value.trim_end_matches(is_around);
    let keys = HEADERS.iter().copied().chain(settings());
    let suits = |key: &&str| is_assigned || is_value(entries, key, value);
    let key = closest_word(word, &keys.filter(suits).collect::<Vec<_>>())?;
    (!REMARKS.contains(&word)).then(|| (key, value.to_owned()))
}

const ASSIGNMENT_SIGNS: [char; 3] = ['=', ':', '\u{ff1a}'];

fn is_value(entries: &[Entry], key: &str, text: &str) -> bool {
    let begins = |word: &&str| text.split_whitespace().next() == Some(word);
    match key {
        "expect" => VERDICTS.iter().any(begins) || text.parse::<f64>().is_ok(),
        "ruleset" => find(entries, text).is_some(),
        "moves" | "chasers" => text
            .bytes()
            .all(|byte| b"UDLRS qweasdzxc.,-".contains(&byte)),
        "name" | "things" => false,
        _ => WORDS.contains(&text) || text.parse::<f64>().is_ok(),
    }
}

const VERDICTS: [&str; 5] = ["escape", "caught", "food", "no-food", "unsolvable"];

const WORDS: [&str; 8] = [
    "true", "false", "chase", "cooldown", "compact", "spaced", "safe", "guarded",
];

const REMARKS: [&str; 13] = [
    "author",
    "by",
    "comment",
    "copyright",
    "date",
    "id",
    "license",
    "link",
    "note",
    "see",
    "source",
    "url",
    "version",
];

fn unknown_header(entries: &[Entry], entry: &Entry, key: &str) -> FaultKind {
    let owners = entries.iter().filter(|other| other.settings.contains(&key));
    let owners: Vec<_> = owners.map(|other| other.name).collect();
    let key = key.to_owned();
    if owners.is_empty() {
        let known = HEADERS.iter().chain(entry.settings).copied().collect();
        return FaultKind::UnknownHeader { key, known };
    }
    FaultKind::ForeignHeader { key, owners }
}
