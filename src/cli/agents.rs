//! Programs that play, as the command line names them.

use anyhow::{Result, anyhow};
use getaway::agents::{About, Agents, Command, Errors, Manner};
use getaway::limits::Limits;
use getaway::puzzle::Puzzle;
use getaway::rulesets::Entry;

use super::args::agents::AgentMannerArgs;
use super::output::words::safe;

/// The programs of these roles, for games on this board; `None` if there are none.
///
/// # Errors
///
/// If a command is none.
pub fn agents<'l>(
    commands: &[(&'static str, &str)],
    board: (&Entry, &Puzzle),
    (args, errors, limits): (&AgentMannerArgs, Errors, Limits<'l>),
) -> Result<Option<Agents<'l>>> {
    if commands.is_empty() {
        return Ok(None);
    }
    let read = |&(role, line): &(&'static str, &str)| {
        let refused = |why| anyhow!("`--{role} {}`: {why}", safe(line));
        Ok((role.to_owned(), Command::parse(line).map_err(refused)?))
    };
    let commands = commands.iter().map(read).collect::<Result<_>>()?;
    let manner = Manner {
        move_timeout: args.move_timeout,
        start_timeout: args.start_timeout,
        is_one_each: args.process_per_actor,
        errors,
        limits,
    };
    Ok(Some(Agents::new(about(board), commands, manner)))
}

/// What programs are told of a board.
fn about((ruleset, puzzle): (&Entry, &Puzzle)) -> About {
    let own = |key: &str| ruleset.settings.contains(&key);
    let headers = puzzle.headers.iter();
    let settings = headers.filter(|header| own(&header.key));
    About {
        ruleset: ruleset.name.to_owned(),
        settings: settings
            .map(|header| (header.key.to_string(), header.value.to_string()))
            .collect(),
    }
}
