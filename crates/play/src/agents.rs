#![doc = include_str!("agents/protocol.md")]

mod group;
mod process;
pub mod protocol;
#[cfg(target_os = "linux")]
mod strays;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use process::{Process, Wait, excerpt, exit_deadline};
use protocol::{BoardAnswer, Hello, Message, MoveAnswer, VERSION};

use crate::agent::Policy;
use crate::external::{AgentError, AgentQuestion, ExternalAgents, ExternalGame, GameStart};
use crate::trace::{Ending, Forfeit, RUNNER};
use getaway_board::fault::closest_word;
use getaway_board::limits::{Limit, Limits};

/// The description of the protocol, in Markdown.
pub const PROTOCOL: &str = include_str!("agents/protocol.md");

/// The command that starts an agent for a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentCommand {
    program: String,
    args: Vec<String>,
}

impl AgentCommand {
    /// Splits a line into words as a shell does, including quotes. No shell is started. On Windows, backslashes separate folders.
    ///
    /// # Errors
    ///
    /// Returns the reason if the line is empty, has an unclosed quote or, except on Windows, ends in a backslash.
    pub fn parse(line: &str) -> Result<Self, String> {
        let line = if cfg!(windows) {
            line.replace('\\', r"\\")
        } else {
            line.to_owned()
        };
        let quoted = "it has an unclosed quote or ends in a backslash";
        let mut words = shlex::split(&line).ok_or(quoted)?.into_iter();
        Ok(Self {
            program: words.next().ok_or("it is empty")?,
            args: words.collect(),
        })
    }
}

/// The ruleset and settings in the message `start`.
#[derive(Clone, Debug, Default)]
pub struct BoardInfo {
    /// The name of the ruleset.
    pub ruleset: String,
    /// The settings in the board's headers, by key. Settings without a header are absent.
    pub settings: BTreeMap<String, String>,
}

/// The limits on agents.
#[derive(Clone, Copy, Debug)]
pub struct AgentLimits<'l> {
    /// The time for each move.
    pub move_timeout: Duration,
    /// The time for an agent to answer the first message.
    pub start_timeout: Duration,
    /// The limits on the whole run.
    pub limits: Limits<'l>,
    /// Receives all messages to and from the agents, and what they write to standard error.
    pub listener: Option<Listener>,
}

/// A function that receives text sent to a program or read from it, with or without line ends.
pub type Listener = fn(Stream, &[u8]);

/// A standard stream of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard input.
    Input,
    /// Standard output.
    Output,
    /// Standard error.
    Errors,
}

/// The agents of some roles, for any number of games in parallel.
///
/// Each game in progress has its own processes, which later games reuse. Dropping the pool ends them.
#[derive(Debug)]
pub struct AgentPool<'l> {
    board: BoardInfo,
    commands: Vec<(String, AgentCommand)>,
    agent_limits: AgentLimits<'l>,
    idle: Mutex<Vec<RoleProcesses>>,
    /// By the index of a command, the last lines that one of its processes wrote to standard error.
    stderr_tail: Mutex<BTreeMap<usize, String>>,
    /// The child processes that existed before the pool. On Linux, closing the pool kills all other children, so this program
    /// must not start other processes or use two pools at once.
    #[cfg(target_os = "linux")]
    before: strays::EarlierChildren,
}

/// The processes of a game, by the index of their command in the pool.
type RoleProcesses = BTreeMap<usize, Process>;

impl<'l> AgentPool<'l> {
    /// Returns the agents that `commands` start. Each role has at most one, but the runners may have one each, in order.
    pub fn new(
        board: BoardInfo,
        commands: Vec<(String, AgentCommand)>,
        agent_limits: AgentLimits<'l>,
    ) -> Self {
        Self {
            board,
            commands,
            agent_limits,
            idle: Mutex::default(),
            stderr_tail: Mutex::default(),
            #[cfg(target_os = "linux")]
            before: strays::adopt(),
        }
    }

    /// Keeps the last lines that a process wrote to standard error, unless the report of its fault already shows them all: it
    /// shows the last `reported` lines.
    fn note(&self, number: usize, lines: &[String], reported: usize) {
        if lines.len() > reported {
            let name = &self.commands[number].0;
            let lines = lines.join("\n  ");
            let text = format!("the {name}'s agent wrote to standard error:\n  {lines}\n");
            let last = self.stderr_tail.lock();
            last.unwrap_or_else(PoisonError::into_inner)
                .insert(number, text);
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<RoleProcesses>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the reason why an agent failed to start. If the runner's `program` does not exist and its name resembles that of a
    /// policy, suggests the policy; if it is the name itself, says that a policy stands alone.
    fn start_error(role: &str, program: &str, error: &io::Error) -> String {
        let message = match error.kind() {
            io::ErrorKind::NotFound => "No such file or directory".to_owned(),
            _ => error.to_string(),
        };
        let why = message.split(" (os error").next().unwrap_or(&message);
        let meant = closest_word(program, &Policy::ALL.map(Policy::name))
            .filter(|_| role == RUNNER && error.kind() == io::ErrorKind::NotFound);
        let advice = match meant {
            Some(name) if name == program => {
                format!("; `{name}` is a policy, which stands alone, without arguments and `+`")
            }
            Some(name) => format!("; did you mean `{name}`?"),
            None => String::new(),
        };
        format!("can't be started: {why}{advice}")
    }

    fn start(&self, number: usize) -> Result<Process, AgentError> {
        let (role, command) = &self.commands[number];
        let gone = |what: String| {
            let program = excerpt(command.program.as_bytes());
            AgentError::Gone(format!("the {role}'s agent (`{program}`) {what}"))
        };
        let mut process = Process::start(command, self.agent_limits.listener)
            .map_err(|error| gone(Self::start_error(role, &command.program, &error)))?;
        let hello = Message::Hello {
            protocol: VERSION,
            program: concat!("getaway ", env!("CARGO_PKG_VERSION")),
        };
        let timeout = self.agent_limits.start_timeout;
        let mut wait = self.wait(timeout);
        wait.late = "did not answer `hello`";
        let greeted = process.exchange(hello.line(), &wait);
        let answer = match greeted {
            Ok(answer) => answer,
            Err(failure) => {
                self.note(number, &process.kill(), 1);
                return Err(match failure {
                    Failure::Limit(limit) => AgentError::Limit(limit),
                    Failure::Fault(what) => gone(what),
                    Failure::Late(what) => {
                        let within = seconds(timeout);
                        gone(format!(
                            "{what} within {within} of its start: flush its output or, if it is still loading, use a \
                             longer `--start-timeout`"
                        ))
                    }
                });
            }
        };
        let reason = match serde_json::from_slice(&answer) {
            Ok(Hello { protocol: VERSION }) => return Ok(process),
            Ok(Hello { protocol }) => {
                format!("speaks version {protocol} of the protocol, not version {VERSION}")
            }
            Err(error) => not_understood(&answer, &error, "{\"type\": \"hello\", \"protocol\": 1}"),
        };
        // What the process wrote to standard error may explain the answer.
        self.note(number, &process.kill(), 1);
        Err(gone(reason))
    }

    /// Asks the agent of the first command about a board, and returns its answer.
    pub fn answer(&self, board: &Message) -> Result<BoardAnswer, AgentError> {
        let mut game = self.game(GameStart::default());
        // A question about a board is outside any game, so the message `start` is left out.
        game.started.push(0);
        let answer = game.ask(0, board, || "{\"expect\": \"escape\"}".into());
        self.idle().push(game.processes);
        answer
    }

    fn game(&self, start: GameStart) -> AgentGame<'_> {
        AgentGame {
            pool: self,
            processes: self.idle().pop().unwrap_or_default(),
            start,
            started: Vec::new(),
            asked: None,
        }
    }

    /// Ends the processes that no game uses and, on Linux, all others. Returns the last lines that a process of each command
    /// wrote to standard error, unless the report of its fault shows them all.
    pub fn close(&self) -> String {
        let idle = std::mem::take(&mut *self.idle());
        let mut all: Vec<_> = idle.into_iter().flatten().collect();
        let bye = Message::Bye.line();
        for (_, process) in &mut all {
            process.ask_to_exit(bye.clone());
        }
        let deadline = exit_deadline();
        for (number, process) in all {
            self.note(number, &process.wait_for_exit(deadline), 0);
        }
        #[cfg(target_os = "linux")]
        strays::end(&self.before, exit_deadline());
        let last = self.stderr_tail.lock();
        std::mem::take(&mut *last.unwrap_or_else(PoisonError::into_inner))
            .into_values()
            .collect()
    }

    fn wait(&self, timeout: Duration) -> Wait<'l> {
        Wait {
            deadline: Instant::now() + timeout,
            late: "did not answer",
            limits: self.agent_limits.limits,
        }
    }
}

impl Drop for AgentPool<'_> {
    fn drop(&mut self) {
        self.close();
    }
}

fn seconds(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

fn not_understood(answer: &[u8], error: &serde_json::Error, expected: &str) -> String {
    let answer = excerpt(answer);
    format!(
        "answered `{answer}`, which is not valid ({error}): write a line such as `{expected}`, and anything else to standard error"
    )
}

#[derive(Debug)]
enum Failure {
    Fault(String),
    Late(String),
    Limit(Limit),
}

impl ExternalAgents for AgentPool<'_> {
    fn roles(&self) -> Vec<&str> {
        self.commands.iter().map(|(role, _)| &**role).collect()
    }

    fn join(&self, start: GameStart) -> Box<dyn ExternalGame + '_> {
        Box::new(self.game(start))
    }
}

struct AgentGame<'a> {
    pool: &'a AgentPool<'a>,
    processes: RoleProcesses,
    start: GameStart,
    started: Vec<usize>,
    asked: Option<usize>,
}

impl AgentGame<'_> {
    /// Returns this game's process of a command; starts it and describes the game to it if necessary.
    fn process(&mut self, number: usize) -> Result<&mut Process, AgentError> {
        let pool = self.pool;
        let process = match self.processes.entry(number) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(pool.start(number)?),
        };
        if !self.started.contains(&number) {
            self.started.push(number);
            let timeout = pool.agent_limits.move_timeout;
            let message = Message::Start {
                ruleset: &pool.board.ruleset,
                settings: &pool.board.settings,
                role: &pool.commands[number].0,
                seed: self.start.seed,
                turns: self.start.turns,
                move_timeout: timeout.as_secs_f64(),
                rows: &self.start.rows,
                actors: &self.start.actors,
            };
            if let Err(failure) = process.tell(message.line(), &pool.wait(timeout)) {
                return Err(self.failed(number, failure));
            }
        }
        Ok(self
            .processes
            .get_mut(&number)
            .expect("the process is running"))
    }

    /// Asks the process of a command a question and parses the answer; ends the process if that fails.
    fn ask<A: DeserializeOwned>(
        &mut self,
        number: usize,
        question: &Message,
        expected: impl FnOnce() -> String,
    ) -> Result<A, AgentError> {
        let wait = self.pool.wait(self.pool.agent_limits.move_timeout);
        let answer = match self.process(number)?.ask(question.line(), &wait) {
            Ok(answer) => answer,
            Err(failure) => return Err(self.failed(number, failure)),
        };
        serde_json::from_slice(&answer).map_err(|error| {
            let reason = not_understood(&answer, &error, &expected());
            self.failed(number, Failure::Fault(reason))
        })
    }

    fn failed(&mut self, number: usize, failure: Failure) -> AgentError {
        if let Some(process) = self.processes.remove(&number) {
            self.pool.note(number, &process.kill(), 1);
        }
        let reason = match failure {
            Failure::Limit(limit) => return AgentError::Limit(limit),
            Failure::Fault(what) => what,
            Failure::Late(what) => {
                let within = seconds(self.pool.agent_limits.move_timeout);
                format!("{what} within {within} (`--move-timeout`)")
            }
        };
        let role = self.pool.commands[number].0.clone();
        AgentError::Forfeit(Forfeit { role, reason })
    }
}

impl ExternalGame for AgentGame<'_> {
    fn start(&mut self) -> Result<(), AgentError> {
        (0..self.pool.commands.len()).try_for_each(|number| self.process(number).map(|_| ()))
    }

    fn decide(&mut self, question: &AgentQuestion) -> Result<String, AgentError> {
        let pool = self.pool;
        let mut agents = (0..pool.commands.len()).collect::<Vec<_>>();
        agents.retain(|&agent| pool.commands[agent].0 == question.role);
        // An agent that is alone decides for all actors of its role.
        let number = *agents.get(question.actor as usize).unwrap_or(&agents[0]);
        self.asked = Some(number);
        let expected = || {
            let legal = question.legal.first().map_or("", |legal| legal);
            format!("{{\"move\": \"{legal}\"}}")
        };
        let MoveAnswer { mv } = self.ask(number, &Message::Move(question), expected)?;
        Ok(mv)
    }

    fn refuse(&mut self, reason: String) -> AgentError {
        let number = self.asked.expect("a refusal follows a question");
        self.failed(number, Failure::Fault(reason))
    }

    /// Reports the ending to all processes, and ends those that do not read it.
    fn end(&mut self, ending: &Ending) {
        let line = Message::end(ending).line();
        let wait = self.pool.wait(self.pool.agent_limits.move_timeout);
        for number in std::mem::take(&mut self.started) {
            let process = self.processes.get_mut(&number);
            if process.is_some_and(|process| process.tell(line.clone(), &wait).is_err()) {
                self.processes.remove(&number);
            }
        }
        self.pool.idle().push(std::mem::take(&mut self.processes));
    }
}
