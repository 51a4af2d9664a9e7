//! The players: every choice of runner with every choice of chasers.

use crate::play::agent::Policy;
use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::play::trace::RUNNER;

use super::args::agents::{AgentArgs, RoleArgs};

#[derive(Clone, Debug, Default)]
pub struct Entrant<'a> {
    pub name: String,
    /// The policy that was chosen for the runner.
    pub policy: Option<Policy>,
    pub commands: Vec<(&'static str, &'a str)>,
    pub strategy: Option<&'a str>,
}

const STRATEGIES: [&str; 2] = ["chase", "cooldown"];

/// Chasers with this choice move by their own rules, without a program.
const BY_RULE: &str = "rule";

impl Entrant<'_> {
    /// Returns whether a policy or a program was chosen for the runner.
    pub fn has_runner(&self) -> bool {
        self.policy.is_some() || self.commands.iter().any(|(role, _)| *role == RUNNER)
    }

    /// True if all chasers move by rule, so that the solver can compute the best possible rate.
    pub fn is_by_rule(&self) -> bool {
        self.commands.iter().all(|(role, _)| *role == RUNNER)
    }
}

impl<'a> Entrant<'a> {
    fn with(&self, role: &'static str, choice: &'a str) -> Self {
        let mut new = self.clone();
        let named = match role {
            "runner" => choice.to_owned(),
            _ => format!("{role} {choice}"),
        };
        new.name = match self.name.as_str() {
            "" => named,
            name => format!("{name}, {named}"),
        };
        match (role, Policy::from_str(choice, false)) {
            ("runner", Ok(policy)) => new.policy = Some(policy),
            ("ghost", _) if STRATEGIES.contains(&choice) => new.strategy = Some(choice),
            (role, _) if role != "runner" && choice == BY_RULE => {}
            _ => new.commands.push((role, choice)),
        }
        new
    }
}

/// All entrants, in the order of the command line.
pub fn entrants<'a>(args: &'a RoleArgs) -> Vec<Entrant<'a>> {
    let mut all = vec![Entrant::default()];
    for (role, choices) in [
        ("runner", &args.runner),
        ("ghost", &args.ghost),
        ("zombie", &args.zombie),
        ("monster", &args.monster),
    ] {
        if !choices.is_empty() {
            let each =
                |entrant: Entrant<'a>| choices.iter().map(move |choice| entrant.with(role, choice));
            all = all.into_iter().flat_map(each).collect();
        }
    }
    all
}

/// Returns the only entrant.
pub fn entrant(args: &AgentArgs) -> Result<Entrant<'_>> {
    let Ok([entrant]) = <[_; 1]>::try_from(entrants(&args.roles)) else {
        bail!("give each role once; `getaway compare` plays several choices for a role");
    };
    let policy = args.policy.or(entrant.policy);
    Ok(Entrant { policy, ..entrant })
}
