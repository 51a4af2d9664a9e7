//! The programs named on the command line to play.

use crate::agents::{About, AgentPool, Command, Errors, Manner};
use crate::limits::Limits;
use crate::play::trace::RUNNER;
use crate::puzzle::Puzzle;
use crate::rulesets::Entry;
use anyhow::{Result, anyhow};

use super::args::agents::{AgentLimitArgs, AgentMannerArgs};
use crate::answers::words::safe;

#[derive(Clone, Debug)]
pub struct Programs {
    board: About,
    commands: Vec<(String, Command)>,
    args: AgentMannerArgs,
}

impl Programs {
    /// Returns `None` if no commands are given.
    pub fn new(
        commands: &[(&'static str, &str)],
        board: (&Entry, &Puzzle),
        args: &AgentMannerArgs,
    ) -> Result<Option<Self>> {
        if commands.is_empty() {
            return Ok(None);
        }
        let read = |&(role, line): &(&'static str, &str)| {
            let refused = |why| anyhow!("`--{role} {}`: {why}", safe(line));
            Ok((role.to_owned(), Command::parse(line).map_err(refused)?))
        };
        Ok(Some(Self {
            board: about(board),
            commands: commands.iter().map(read).collect::<Result<_>>()?,
            args: args.clone(),
        }))
    }

    pub fn lead_chasers(&self) -> bool {
        self.commands.iter().any(|(role, _)| role != RUNNER)
    }

    pub fn agents(self, errors: Errors, limits: Limits<'_>) -> AgentPool<'_> {
        let manner = Manner {
            is_one_each: self.args.process_per_actor,
            ..manner(&self.args.limits, errors, limits)
        };
        AgentPool::new(self.board, self.commands, manner)
    }
}

pub fn manner<'l>(args: &AgentLimitArgs, errors: Errors, limits: Limits<'l>) -> Manner<'l> {
    Manner {
        move_timeout: args.move_timeout,
        start_timeout: args.start_timeout,
        is_one_each: false,
        errors,
        // The program starts no other processes, and plays games or series one after another.
        limits,
    }
}

pub fn agents<'l>(
    commands: &[(&'static str, &str)],
    board: (&Entry, &Puzzle),
    (args, errors, limits): (&AgentMannerArgs, Errors, Limits<'l>),
) -> Result<Option<AgentPool<'l>>> {
    let programs = Programs::new(commands, board, args)?;
    Ok(programs.map(|programs| programs.agents(errors, limits)))
}

pub fn about((ruleset, puzzle): (&Entry, &Puzzle)) -> About {
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
