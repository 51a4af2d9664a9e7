#![doc = include_str!("agents/protocol.md")]

#[cfg_attr(not(unix), path = "agents/no_process.rs")]
mod process;
pub mod protocol;
mod strays;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use process::{Process, Wait, excerpt, grace};
use protocol::{Answer, Game, Hello, Message, VERSION};

use crate::limits::{Limit, Limits};
use crate::play::outside::{Actor, Fault, Outside, Question, Scene, SeatError, Seats, Start};
use crate::play::trace::{Ending, TraceError};

/// The protocol for people, in Markdown, as [`crate::agents`] shows it.
pub const PROTOCOL: &str = include_str!("agents/protocol.md");

/// A program that decides in games, and what it is started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    program: String,
    args: Vec<String>,
}

impl Command {
    /// The command of this line: words as in a shell, quotes included, but no shell sees it.
    ///
    /// # Errors
    ///
    /// Why it is none.
    pub fn parse(line: &str) -> Result<Self, String> {
        let quoted = "a quote in it is not closed";
        let mut words = shlex::split(line).ok_or(quoted)?.into_iter();
        Ok(Self {
            program: words.next().ok_or("it is empty")?,
            args: words.collect(),
        })
    }
}

/// Where what agents write to standard error goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// To where this program's own errors go.
    Shown,
    /// The last line of it is told with what an agent did wrong.
    Kept,
}

/// What becomes of processes that agents leave behind, beyond those in the group of each, which are always ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strays {
    /// Nobody looks for them.
    Left,
    /// They are ended, on Linux, when all agents have been. To be told from others, all children of this process
    /// are that it has got since there are [`Agents`]: it must not start any but these, nor have other agents at the
    /// same time.
    Ended,
}

/// What agents are told of the board they play on.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The name of the ruleset.
    pub ruleset: String,
    /// The settings in the board's headers.
    pub settings: BTreeMap<String, String>,
}

/// How agents are played with.
#[derive(Clone, Copy, Debug)]
pub struct Manner<'l> {
    /// How long an answer may take.
    pub move_timeout: Duration,
    /// How long an agent may take to answer the greeting.
    pub start_timeout: Duration,
    /// Whether each actor has a process of its own, rather than each role.
    pub is_one_each: bool,
    /// What becomes of what they write to standard error.
    pub errors: Errors,
    /// What becomes of those whom they leave behind.
    pub strays: Strays,
    /// What breaks games off.
    pub limits: Limits<'l>,
}

/// The agents of some roles, any number of whose games are played side by side.
///
/// Each game that is going on has processes of its own; when it is over, the next one takes them over. All of them
/// end with this value.
pub struct Agents<'l> {
    board: About,
    commands: Vec<(String, Command)>,
    manner: Manner<'l>,
    idle: Mutex<Vec<Team>>,
    /// The children that this process has had before any agent, if strays are to be ended.
    before: Option<strays::Before>,
}

/// The processes of one game: the number of a role, and the actor where each has its own.
type Team = BTreeMap<(usize, Option<u32>), Process>;

impl<'l> Agents<'l> {
    /// These programs in these roles.
    pub fn new(board: About, commands: Vec<(String, Command)>, manner: Manner<'l>) -> Self {
        let before = (manner.strays == Strays::Ended).then(strays::adopt);
        Self {
            board,
            commands,
            manner,
            idle: Mutex::default(),
            before,
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Team>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new process of a role, which has been greeted.
    fn start(&self, number: usize) -> Result<Process, SeatError> {
        let (role, command) = &self.commands[number];
        let gone = |what: String| {
            let program = command.program.escape_debug();
            SeatError::Gone(format!("the {role}'s agent (`{program}`) {what}"))
        };
        let mut process = Process::start(command, self.manner.errors)
            .map_err(|error| gone(format!("can't be started: {error}")))?;
        let hello = Message::Hello {
            protocol: VERSION,
            program: concat!("getaway ", env!("CARGO_PKG_VERSION")),
        };
        let timeout = self.manner.start_timeout;
        let answer = match process.greet(&hello.line(), &self.wait(timeout)) {
            Ok(answer) => answer,
            Err(Failure::Limit(limit)) => return Err(SeatError::Limit(limit)),
            Err(Failure::Late(what)) => {
                let within = seconds(timeout);
                return Err(gone(format!(
                    "{what} to the greeting within {within}: it may not flush its output, or need a \
                     longer `--start-timeout`"
                )));
            }
            Err(Failure::Fault(what)) => return Err(gone(what)),
        };
        match serde_json::from_slice(&answer) {
            Ok(Hello { protocol: VERSION }) => Ok(process),
            Ok(Hello { protocol }) => Err(gone(format!(
                "speaks version {protocol} of the protocol, not version {VERSION}"
            ))),
            Err(error) => Err(gone(not_understood(
                (&answer, &error),
                "{\"type\": \"hello\", \"protocol\": 1}",
            ))),
        }
    }

    fn wait(&self, timeout: Duration) -> Wait<'l> {
        Wait {
            deadline: Instant::now() + timeout,
            limits: self.manner.limits,
        }
    }
}

impl fmt::Debug for Agents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Agents").field(&self.commands).finish()
    }
}

/// All processes are told to end, and ended where they don't.
impl Drop for Agents<'_> {
    fn drop(&mut self) {
        let teams = std::mem::take(&mut *self.idle());
        let mut all: Vec<_> = teams.into_iter().flat_map(Team::into_values).collect();
        let bye = Message::Bye.line();
        for process in &mut all {
            process.dismiss(&bye);
        }
        let deadline = grace();
        for process in all {
            process.see_off(deadline);
        }
        if let Some(before) = &self.before {
            strays::end(before, grace());
        }
    }
}

fn seconds(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

/// That an answer is not what it should be.
fn not_understood((answer, error): (&[u8], &serde_json::Error), wanted: &str) -> String {
    let answer = excerpt(answer);
    format!(
        "answered `{answer}`, which is not understood ({error}): write a line such as `{wanted}`, and \
         anything else to standard error"
    )
}

/// Why an agent gave no answer.
#[derive(Debug)]
#[cfg_attr(not(unix), expect(dead_code, reason = "nobody is asked there"))]
enum Failure {
    /// It did something wrong.
    Fault(String),
    /// It took too long.
    Late(String),
    /// A limit ended the wait.
    Limit(Limit),
}

impl Outside for Agents<'_> {
    fn decides_for(&self, role: &str) -> bool {
        self.commands.iter().any(|(known, _)| known == role)
    }

    fn roles(&self) -> Vec<&str> {
        self.commands.iter().map(|(role, _)| &**role).collect()
    }

    fn sit(&self) -> Result<Box<dyn Seats + '_>, TraceError> {
        let team = self.idle().pop().unwrap_or_default();
        Ok(Box::new(AtTable {
            agents: self,
            team,
            start: None,
            told: Vec::new(),
            asked: None,
        }))
    }
}

/// Agents in one game.
struct AtTable<'a> {
    agents: &'a Agents<'a>,
    team: Team,
    start: Option<Opening>,
    /// Those who were told that the game begins.
    told: Vec<(usize, Option<u32>)>,
    /// Who was asked last.
    asked: Option<(usize, Option<u32>)>,
}

/// What was said when the game began.
struct Opening {
    seed: u64,
    turns: usize,
    rows: Vec<String>,
    actors: Vec<Actor>,
}

impl AtTable<'_> {
    /// The process that decides for an actor, which knows of this game.
    fn seat(&mut self, key: (usize, Option<u32>)) -> Result<&mut Process, SeatError> {
        let agents = self.agents;
        let process = match self.team.entry(key) {
            std::collections::btree_map::Entry::Occupied(seat) => seat.into_mut(),
            std::collections::btree_map::Entry::Vacant(seat) => seat.insert(agents.start(key.0)?),
        };
        if let (false, Some(start)) = (self.told.contains(&key), &self.start) {
            self.told.push(key);
            let start = Start {
                seed: start.seed,
                turns: start.turns,
                scene: Scene {
                    rows: &start.rows,
                    actors: &start.actors,
                },
            };
            let timeout = agents.manner.move_timeout;
            let role = (&*agents.commands[key.0].0, timeout.as_secs_f64());
            let game = Box::new(Game::of(&agents.board, &start, role));
            let told = process.tell(&Message::Start(game).line(), &agents.wait(timeout));
            if let Err(failure) = told {
                return Err(self.failed(key, failure));
            }
        }
        Ok(self.team.get_mut(&key).expect("it is there"))
    }

    /// What an agent's failure means for the game; its process is ended.
    fn failed(&mut self, key: (usize, Option<u32>), failure: Failure) -> SeatError {
        self.team.remove(&key);
        let reason = match failure {
            Failure::Limit(limit) => return SeatError::Limit(limit),
            Failure::Fault(what) => what,
            Failure::Late(what) => {
                let within = seconds(self.agents.manner.move_timeout);
                format!("{what} within {within} (`--move-timeout`)")
            }
        };
        let role = self.agents.commands[key.0].0.clone();
        SeatError::Fault(Fault { role, reason })
    }
}

impl Seats for AtTable<'_> {
    fn start(&mut self, start: &Start) -> Result<(), SeatError> {
        self.start = Some(Opening {
            seed: start.seed,
            turns: start.turns,
            rows: start.scene.rows.to_vec(),
            actors: start.scene.actors.to_vec(),
        });
        if self.agents.manner.is_one_each {
            return Ok(());
        }
        (0..self.agents.commands.len()).try_for_each(|role| self.seat((role, None)).map(|_| ()))
    }

    fn decide(&mut self, question: &Question) -> Result<String, SeatError> {
        let agents = self.agents;
        let mut roles = agents.commands.iter();
        let number = roles.position(|(role, _)| role == question.role);
        let number = number.expect("only those are asked who decide");
        let key = (number, agents.manner.is_one_each.then_some(question.actor));
        self.asked = Some(key);
        let line = Message::question(question).line();
        let wait = agents.wait(agents.manner.move_timeout);
        let answer = match self.seat(key)?.ask(&line, &wait) {
            Ok(answer) => answer,
            Err(failure) => return Err(self.failed(key, failure)),
        };
        match serde_json::from_slice(&answer) {
            Ok(Answer { mv }) => Ok(mv),
            Err(error) => {
                let wanted = question.legal.first().map_or("", |legal| legal);
                let wanted = format!("{{\"move\": \"{wanted}\"}}");
                let reason = not_understood((&answer, &error), &wanted);
                Err(self.failed(key, Failure::Fault(reason)))
            }
        }
    }

    fn refuse(&mut self, role: &str, reason: String) -> SeatError {
        if let Some(key) = self.asked {
            self.team.remove(&key);
        }
        SeatError::Fault(Fault {
            role: role.to_owned(),
            reason,
        })
    }

    /// Whoever does not listen any more is not there in the next game.
    fn end(&mut self, ending: &Ending) {
        let line = Message::end(ending).line();
        let wait = self.agents.wait(self.agents.manner.move_timeout);
        for key in std::mem::take(&mut self.told) {
            let told = self
                .team
                .get_mut(&key)
                .map(|process| process.tell(&line, &wait));
            if matches!(told, Some(Err(_))) {
                self.team.remove(&key);
            }
        }
        self.agents.idle().push(std::mem::take(&mut self.team));
    }
}
