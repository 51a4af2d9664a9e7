//! How a game looks on the screen: the board, and beside or below it what there is to know.

use getaway::advice::Worth;
use getaway::play::trace::Ending;
use getaway::rulesets::Entry;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position as Point, Rect, Size};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};

use super::canvas::{Canvas, Mark, Marks};
use super::keys;
use super::look::{Charset, Look};
use super::play::{Front, Play};
use super::tell::{self, count_of};

/// The smallest terminal on which there is anything to be seen.
pub const SMALLEST: Size = Size::new(40, 12);

/// The columns of what stands beside the board.
const BESIDE: u16 = 34;

/// The rows of what stands below it.
const BELOW: u16 = 7;

/// Which board is on the screen.
#[derive(Clone, Debug)]
pub struct Title {
    /// Its name, or that of its file.
    pub name: String,
    /// Its address: the file, and the number of the board in it where there are several.
    pub address: String,
    /// Its ruleset.
    pub ruleset: &'static Entry,
}

/// Says how large a terminal must be that is too small; whether it is.
pub fn is_too_small(frame: &mut Frame) -> bool {
    let Size { width, height } = frame.area().as_size();
    let is_small = width < SMALLEST.width || height < SMALLEST.height;
    if is_small {
        let text = format!(
            "this terminal is {width}x{height}: make it at least {}x{}",
            SMALLEST.width, SMALLEST.height
        );
        let text = Paragraph::new(text).wrap(ratatui::widgets::Wrap { trim: true });
        frame.render_widget(text, frame.area());
    }
    is_small
}

/// The parts of the screen.
pub struct Parts {
    /// The line at the top.
    pub title: Rect,
    /// The board.
    pub board: Rect,
    /// What there is to know.
    pub panel: Rect,
    /// The line above the last one.
    pub message: Rect,
    /// The last line.
    pub keys: Rect,
    /// Whether the panel is below the board rather than beside it.
    pub is_below: bool,
}

impl Parts {
    /// The parts of a screen with a board of this size: where more of the board is to be seen, the panel
    /// stands below it.
    pub fn of(area: Rect, board: Size) -> Self {
        let rows = Constraint::Length;
        let [title, middle, message, keys] =
            Layout::vertical([rows(1), Constraint::Min(1), rows(1), rows(1)]).areas(area);
        let [left, right] = Layout::horizontal([Constraint::Min(1), rows(BESIDE)]).areas(middle);
        let [top, bottom] = Layout::vertical([Constraint::Min(1), rows(BELOW)]).areas(middle);
        let shown = |room: Rect| {
            u32::from(room.width.min(board.width)) * u32::from(room.height.min(board.height))
        };
        let is_below = shown(top) > shown(left);
        let (board_room, panel) = if is_below {
            (top, bottom)
        } else {
            (left, right)
        };
        Self {
            title,
            board: centred(board_room, board),
            panel,
            message,
            keys,
            is_below,
        }
    }
}

impl Parts {
    /// The panel in two: side by side, or one above the other with so many rows for the second.
    pub fn halves(&self, rows: u16) -> (Rect, Rect) {
        let [first, second] = if self.is_below {
            let columns = [Constraint::Fill(1), Constraint::Length(BESIDE)];
            Layout::horizontal(columns).spacing(2).areas(self.panel)
        } else {
            Layout::vertical([Constraint::Min(4), Constraint::Max(rows)]).areas(self.panel)
        };
        (first, second)
    }
}

/// The middle of a room, of this size if there is so much room.
fn centred(room: Rect, size: Size) -> Rect {
    let (width, height) = (size.width.min(room.width), size.height.min(room.height));
    Rect {
        x: room.x + (room.width - width) / 2,
        y: room.y + (room.height - height) / 2,
        width,
        height,
    }
}

/// Draws a game. `is_thinking` says that an answer is being looked for.
pub fn draw(frame: &mut Frame, play: &Play, title: &Title, look: Look, is_thinking: bool) {
    if is_too_small(frame) {
        return;
    }
    let view = View {
        play,
        title,
        look,
        is_thinking,
    };
    let marks = view.marks();
    let focus = tell::runner_at(play.here(), &look.legend).unwrap_or_default();
    let canvas = Canvas::new(&play.here().rows, look, &marks, focus);
    let parts = Parts::of(frame.area(), canvas.size());
    frame.render_widget(title_line(title, look, parts.title.width), parts.title);
    frame.render_widget(&canvas, parts.board);
    view.panel(frame, &parts);
    frame.render_widget(
        Line::styled(play.message.as_str(), look.colour(Color::Cyan)),
        parts.message,
    );
    frame.render_widget(view.keys(), parts.keys);
    match &play.front {
        Front::Nothing => {}
        Front::Help => view.help(frame),
        Front::Jump(typed) => {
            let prompt = format!("go to turn (0 to {}): {typed}", play.session().last());
            ask(frame, parts.keys, &prompt);
        }
    }
}

/// A question with what is typed so far, and the cursor after it.
pub fn ask(frame: &mut Frame, area: Rect, prompt: &str) {
    frame.render_widget(Clear, area);
    let line = Line::styled(prompt, Style::new().add_modifier(Modifier::BOLD));
    let end = area.x + (line.width() as u16).min(area.width.saturating_sub(1));
    frame.render_widget(line, area);
    frame.set_cursor_position(Point::new(end, area.y));
}

/// The line at the top: what is played, and where it stands.
pub fn title_line(title: &Title, look: Look, width: u16) -> Line<'static> {
    let name = format!(" {}: {}", title.ruleset.name, title.name);
    let room = usize::from(width);
    let address = format!("{} ", title.address);
    let (name_width, address_width) = (Span::raw(&name).width(), Span::raw(&address).width());
    let line = match room.checked_sub(name_width + address_width) {
        Some(gap @ 1..) => format!("{name}{}{address}", " ".repeat(gap)),
        _ => format!("{name:room$}"),
    };
    Line::styled(line, look.block(Color::Gray).add_modifier(Modifier::BOLD))
}

/// A game that is drawn.
struct View<'v, 'g> {
    play: &'v Play<'g>,
    title: &'v Title,
    look: Look,
    is_thinking: bool,
}

impl View<'_, '_> {
    const fn charset(&self) -> Charset {
        self.look.charset
    }

    /// Who went where in the last turn, where the runner was before, and the hint.
    fn marks(&self) -> Marks {
        let (play, mut marks) = (self.play, Marks::default());
        if play.shows_trail {
            play.trail()
                .into_iter()
                .for_each(|spot| marks.put(spot, Mark::Trail));
        }
        marks.movements(&play.here().halves);
        if matches!(play.here().ending, Some(Ending::Caught { .. }))
            && let Some(spot) = tell::runner_at(play.here(), &self.look.legend)
        {
            marks.put(spot, Mark::Caught);
        }
        self.mark_hint(&mut marks);
        marks
    }

    /// Marks the way of the move that is hinted at, or begun.
    fn mark_hint(&self, marks: &mut Marks) {
        let mv = self.play.hint().unwrap_or(self.play.begun());
        let start = tell::runner_at(self.play.here(), &self.look.legend);
        let (Some((row, col)), false) = (start, mv.is_empty()) else {
            return;
        };
        let (mut row, mut col) = (i64::from(row), i64::from(col));
        for (rows, cols) in self.steps(mv) {
            (row, col) = (row + rows, col + cols);
            if let (Ok(row), Ok(col)) = (row.try_into(), col.try_into()) {
                marks.put((row, col), Mark::Hint((rows, cols)));
            }
        }
    }

    /// The steps of a move, by where they lie on the numeric pad.
    fn steps(&self, mv: &str) -> Vec<(i64, i64)> {
        let place = |text: &str| {
            let at = self.play.pad().iter().position(|own| own == text)? as i64;
            Some((at / 3 - 1, at % 3 - 1))
        };
        match place(mv) {
            Some(step) => vec![step],
            None => mv
                .chars()
                .filter_map(|c| place(c.encode_utf8(&mut [0; 4])))
                .collect(),
        }
    }

    /// A move as it is shown: `↑ U`.
    fn move_text(&self, mv: &str) -> String {
        let arrows: String = self
            .steps(mv)
            .into_iter()
            .map(|step| self.charset().arrow(step))
            .collect();
        format!("{arrows} {mv}")
    }

    fn panel(&self, frame: &mut Frame, parts: &Parts) {
        let width = if parts.is_below {
            parts.halves(0).0.width
        } else {
            BESIDE - 1
        };
        let (mut left, right) = (self.verdict(width.into()), self.last_turn());
        left.extend(self.status());
        let values = self.values();
        if parts.is_below {
            let (first, second) = parts.halves(0);
            frame.render_widget(Text::from(left), first);
            let mut rest = if self.play.shows_values {
                values
            } else {
                right
            };
            cut(&mut rest, second.height.into());
            frame.render_widget(Text::from(rest), second);
        } else {
            left.push(Line::default());
            left.extend(values);
            left.extend(right);
            cut(&mut left, parts.panel.height.into());
            frame.render_widget(Text::from(left), parts.panel);
        }
    }

    /// A game that is over: how, and how well it was played.
    fn verdict(&self, width: usize) -> Vec<Line<'static>> {
        let (play, look) = (self.play, self.look);
        let (colour, title) = match play.here().ending {
            None => return Vec::new(),
            Some(Ending::Escaped { .. }) => (
                Color::Green,
                format!("{0} ESCAPED {0}", self.charset().pick('★', '*')),
            ),
            Some(_) => (
                Color::Red,
                format!("{0} CAUGHT {0}", self.charset().pick('✖', 'x')),
            ),
        };
        let what = tell::ending(play.session(), play.here(), &look.legend);
        let style = look.block(colour).add_modifier(Modifier::BOLD);
        let band = |text: &str| Line::styled(format!("{text:^width$}"), style);
        let mut lines = vec![band(&title)];
        lines.extend(wrapped(&what, width));
        lines.push(Line::raw(self.how_well()));
        lines
    }

    /// How many moves it took, beside the fewest possible.
    fn how_well(&self) -> String {
        let now = self.play.session().now();
        let moves = count_of(now, "move");
        let is_escape = matches!(self.play.here().ending, Some(Ending::Escaped { .. }));
        match self.fewest() {
            _ if !is_escape => format!("after {moves}"),
            Some(fewest) if now <= fewest => format!("in {moves}, the fewest possible"),
            Some(fewest) => format!("in {moves}; {fewest} would do"),
            None => format!("in {moves}"),
        }
    }

    /// The fewest moves from the start that escape, if that is known.
    fn fewest(&self) -> Option<usize> {
        match self.play.known_of_start()?.as_ref().ok()?.worth {
            Worth::Escape { moves } => moves,
            _ => None,
        }
    }

    /// Where the game stands.
    fn status(&self) -> Vec<Line<'static>> {
        let (play, session) = (self.play, self.play.session());
        let (now, last) = (session.now(), session.last());
        let turn = format!("turn {now} of {last} {}", self.slider(now, last));
        let mut lines = vec![Line::raw(turn)];
        lines.extend(self.moves_beside_fewest(now));
        lines.extend(self.prospects());
        if let Some(gathered) = play.here().gathered {
            lines.push(Line::raw(format!("gathered: {gathered}")));
        }
        if play.is_by_chance() {
            lines.push(Line::styled(
                format!("seed {}", session.seed()),
                self.look.faint(),
            ));
        }
        if let Some(pace) = play.pace() {
            let text = format!("the solver plays, a move in {} ms", pace.as_millis());
            lines.push(Line::styled(text, self.look.colour(Color::Cyan)));
        }
        lines.extend(self.hint());
        lines
    }

    /// A bar with a knob where one is.
    fn slider(&self, now: usize, last: usize) -> String {
        const WIDTH: usize = 12;
        if last == 0 {
            return String::new();
        }
        let knob = now * (WIDTH - 1) / last;
        let sign = |at: usize| {
            if at == knob {
                self.charset().pick('●', 'o')
            } else {
                self.charset().pick('─', '-')
            }
        };
        (0..WIDTH).map(sign).collect()
    }

    fn moves_beside_fewest(&self, now: usize) -> Option<Line<'static>> {
        let known = self.play.known_of_start()?.as_ref();
        let fewest = match (known.map(|advice| advice.worth), self.fewest()) {
            (_, Some(fewest)) => format!("moves: {now}   fewest possible: {fewest}"),
            (Ok(worth @ Worth::Chance { .. }), _) => {
                format!("best play from the start: {}", tell::worth(&worth))
            }
            _ => return None,
        };
        Some(Line::raw(fewest))
    }

    /// What becomes of the runner from here, as far as he is to know it.
    fn prospects(&self) -> Vec<Line<'static>> {
        let (play, look) = (self.play, self.look);
        let mut lines = Vec::new();
        match play.lost_since() {
            Some(0) => lines.push(Line::styled(
                "there is no escape from the start",
                lost(look),
            )),
            Some(turn) => {
                let text = format!("lost since move {turn}");
                lines.push(Line::styled(text, lost(look)));
            }
            None => {}
        }
        match play.known() {
            _ if play.here().ending.is_some() => {}
            Some(Ok(advice)) if play.shows_values => {
                lines.push(Line::raw(format!("now: {}", tell::worth(&advice.worth))));
            }
            Some(Err(why)) if play.shows_values => {
                lines.push(Line::styled(why.clone(), look.faint()));
            }
            None if self.is_thinking => lines.push(Line::styled("thinking...", look.faint())),
            _ => {}
        }
        lines
    }

    fn hint(&self) -> Option<Line<'static>> {
        if !self.play.is_hinting {
            return None;
        }
        let text = match (self.play.hint(), self.play.known()) {
            (Some(mv), _) => format!("hint: {}", self.move_text(mv)),
            (None, None) => "hint: thinking...".into(),
            (None, Some(Err(why))) => format!("no hint: {why}"),
            (None, Some(Ok(_))) => "the solver knows no move here".into(),
        };
        Some(Line::styled(text, self.look.colour(Color::Cyan)))
    }

    /// What each legal move is worth.
    fn values(&self) -> Vec<Line<'static>> {
        let play = self.play;
        let Some(Ok(advice)) = play.known().filter(|_| play.shows_values) else {
            return Vec::new();
        };
        let is_best = |mv: &str| advice.best.as_deref() == Some(mv);
        let line = |(mv, worth): &(String, Worth)| {
            let text = format!("{:<7} {}", self.move_text(mv), tell::worth(worth));
            let style = if is_best(mv) {
                self.look.colour(Color::Green).add_modifier(Modifier::BOLD)
            } else {
                Style::new()
            };
            Line::styled(text, style)
        };
        let mut lines: Vec<_> = advice.moves.iter().map(line).collect();
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines
    }

    /// Who went where in the last turn.
    fn last_turn(&self) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        let arrow = self.charset().pick("→", "->");
        for half in &self.play.here().halves {
            let title = match &half.mv {
                Some(mv) => format!("{} {}", half.who, self.move_text(mv)),
                None => half.who.to_owned(),
            };
            lines.push(Line::styled(
                title,
                Style::new().add_modifier(Modifier::BOLD),
            ));
            let events = half.events.iter().filter(|_| half.mv.is_none());
            let told = events.filter_map(|event| Some((event, tell::event(event, arrow)?)));
            lines.extend(told.map(|(event, text)| {
                Line::styled(format!("  {text}"), self.look.mark(event.actor))
            }));
        }
        lines
    }

    /// The most useful keys.
    fn keys(&self) -> Line<'static> {
        let text = match &self.play.here().ending {
            Some(_) => "u take back  r restart  n p other boards  Space watch  ? all keys",
            None if !self.play.begun().is_empty() => {
                "more steps, Enter to move now, u to take a step back"
            }
            None => "? all keys  i hint  u take back  Space solver plays  n p other boards",
        };
        let quit = keys::help(self.play.pad())
            .last()
            .map(|(keys, _)| keys.clone());
        let text = format!(
            "{text}  {} leave",
            quit.unwrap_or_default()
                .split(',')
                .next()
                .unwrap_or_default()
        );
        Line::styled(text, self.look.faint())
    }

    /// All keys and all glyphs, in front of the board.
    fn help(&self, frame: &mut Frame) {
        let keys = keys::help(self.play.pad());
        let width = keys.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0);
        let mut lines: Vec<_> = keys
            .iter()
            .map(|(keys, what)| Line::raw(format!("{keys:width$}  {what}")))
            .collect();
        lines.push(Line::default());
        lines.extend(wrapped(&self.title.ruleset.legend.to_string(), 60));
        popup(frame, self.look, " keys ", lines);
    }
}

/// Text in a frame, in front of all else.
pub fn popup(frame: &mut Frame, look: Look, title: &str, lines: Vec<Line<'static>>) {
    let width = lines
        .iter()
        .map(Line::width)
        .max()
        .unwrap_or(0)
        .max(title.len()) as u16;
    let size = Size::new(width + 4, lines.len() as u16 + 2);
    let area = centred(frame.area(), size);
    let border = look.charset.pick(BorderType::Rounded, BorderType::Plain);
    let mut block = Block::bordered()
        .border_type(border)
        .title(title.to_owned());
    if look.charset == Charset::Ascii {
        block = block.border_set(ASCII_BORDER);
    }
    let block = block.padding(ratatui::widgets::Padding::horizontal(1));
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// A border for terminals without lines.
const ASCII_BORDER: ratatui::symbols::border::Set = ratatui::symbols::border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

fn lost(look: Look) -> Style {
    look.colour(Color::Red).add_modifier(Modifier::BOLD)
}

/// At most so many lines; the last one says how many more there are.
pub fn cut(lines: &mut Vec<Line<'static>>, most: usize) {
    while lines.last().is_some_and(|line| line.width() == 0) {
        lines.pop();
    }
    if lines.len() > most && most > 0 {
        let more = lines.len() - most + 1;
        lines.truncate(most - 1);
        lines.push(Line::raw(format!("... and {more} more")));
    }
}

/// Lines of at most so many characters, broken between words.
pub fn wrapped(text: &str, width: usize) -> Vec<Line<'static>> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.into_iter().map(Line::raw).collect()
}

#[cfg(test)]
mod tests {
    use getaway::rulesets::{self, RULESETS};
    use getaway::{Board, Limits};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::super::keys::Command;
    use super::*;
    use crate::cli::output::diagnostic::Colors;

    /// What is on a screen of this size after these commands, with all that the adviser can say.
    fn screen(
        board: &str,
        commands: &[Command],
        size: (u16, u16),
        charset: Charset,
    ) -> Vec<String> {
        let board: Board = board.parse().unwrap();
        let limits = Limits::default();
        let mut play = Play::new(board.game().session(7, &limits).unwrap());
        let mut adviser = board.game().adviser(&limits).unwrap();
        for command in commands {
            play.obey(command.clone());
        }
        while let Some(question) = play.question() {
            let answer = adviser.advise(&question.line, 7, &limits);
            play.hear(&question, answer.map_err(|error| error.to_string()));
        }
        let title = Title {
            name: "a board".into(),
            address: "a.txt#2".into(),
            ruleset: rulesets::find(RULESETS, board.ruleset().name).unwrap(),
        };
        let look = Look {
            charset,
            colors: Colors::On,
            legend: board.ruleset().legend,
        };
        let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
        let draw = |frame: &mut Frame| super::draw(frame, &play, &title, look, false);
        terminal.draw(draw).unwrap();
        let buffer = terminal.backend().buffer();
        let row = |y| {
            (0..size.0)
                .map(|x| buffer[(x, y)].symbol())
                .collect::<String>()
        };
        (0..size.1).map(|y| row(y).trim_end().to_owned()).collect()
    }

    fn go(moves: &str) -> Vec<Command> {
        moves
            .chars()
            .map(|mv| Command::Move(mv.to_string()))
            .collect()
    }

    const LEFT_UP_LEFT: &str = "\
; ruleset: jimmy
##########
......g...
#.o.......
#.....g...
##########
";

    /// The lines of a drawing in which each begins with a bar.
    fn drawn(text: &str) -> Vec<String> {
        let lines = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix('|'));
        lines.map(|line| line.trim_end().to_owned()).collect()
    }

    #[test]
    fn the_board_stands_beside_what_there_is_to_know() {
        let screen = screen(LEFT_UP_LEFT, &go("D"), (72, 13), Charset::Unicode);
        let wanted = "
            | jimmy: a board                                                 a.txt#2
            |                                      turn 1 of 1 ───────────●
            |                                      moves: 1   fewest possible: 3
            |         ████████████████████         lost since move 1
            |         · · · · g ← · · · ·
            |         ██· ↓ · · · · · · ·          Jimmy ↓ D
            |         ██· o · g ← · · · ·          ghosts
            |         ████████████████████           g 2,6 → 2,5
            |                                        g 4,6 → 4,5
            |
            |
            |
            |? all keys  i hint  u take back  Space solver plays  n p other boards  q
        ";
        assert_eq!(screen, drawn(wanted));
    }

    #[test]
    fn an_escape_is_told_with_how_well_it_was_played() {
        let screen = screen(LEFT_UP_LEFT, &go("LUL"), (72, 12), Charset::Ascii);
        let wanted = "
            | jimmy: a board                                                 a.txt#2
            |                                                 * ESCAPED *
            |                                      Jimmy got away at row 2, column 1
            |         ####################         in 3 moves, the fewest possible
            |         o < . g . . . . . .          turn 3 of 3 -----------o
            |         ##, , . . . . . . .          moves: 3   fewest possible: 3
        ";
        assert_eq!(screen[..6], drawn(wanted));
    }

    #[test]
    fn a_loss_is_told_with_who_did_it_where() {
        let board = "; ruleset: theseus\n+-+-+-+\n|T   M|\n+-+-+-+\n|E    |\n+-+-+-+";
        let screen = screen(board, &go("S"), (60, 12), Charset::Unicode);
        let wanted = "
            | theseus: a board                                   a.txt#2
            |                                     ✖ CAUGHT ✖
            |                          the Minotaur caught Theseus at
            |      ┌───────────┐       row 2, column 2
            |      │ M · ← · ← │       after 1 move
            |      ├───────────┤       turn 1 of 1 ───────────●
            |      │ E         │       there is no escape from the start
            |      └───────────┘
        ";
        assert_eq!(screen[..8], drawn(wanted));
    }

    #[test]
    fn a_wide_board_has_the_rest_below_it() {
        let board = format!("; ruleset: baddies\nH{}*\n", " ".repeat(28));
        let screen = screen(&board, &[Command::Values], (60, 18), Charset::Unicode);
        let board = format!("H{}★", " ".repeat(57));
        assert_eq!(screen[4], board, "{screen:#?}");
        assert_eq!(
            screen[9], "turn 0 of 0               ∘ s     escape in 30 moves",
            "{screen:#?}"
        );
    }

    #[test]
    fn of_a_large_board_the_part_with_the_runner_is_shown() {
        let row = ".".repeat(200);
        let board = format!("; ruleset: jimmy\n{row}\n{}o#\n{row}\n", ".".repeat(198));
        let screen = screen(&board, &[], (60, 12), Charset::Ascii);
        let shown = screen
            .iter()
            .find(|line| line.contains('o') && line.contains("##"));
        assert!(shown.is_some(), "{screen:#?}");
    }

    #[test]
    fn with_chance_each_move_has_its_probability() {
        let board = "; ruleset: dungeon\n-------\n|P...E|\n-------\n|..Z..|\n-------\n";
        let screen = screen(board, &[], (64, 12), Charset::Unicode);
        let told: Vec<_> = screen
            .iter()
            .map(|line| line.chars().skip(30).collect::<String>())
            .collect();
        for line in [
            "seed 7",
            "best play from the start: 1.0000",
            "now: 1.0000",
            "→ R     1.0000",
        ] {
            assert!(
                told.iter().any(|told| told.trim() == line),
                "{line}: {screen:#?}"
            );
        }
    }

    #[test]
    fn a_hint_is_drawn_on_the_board() {
        let screen = screen(LEFT_UP_LEFT, &[Command::Hint], (72, 12), Charset::Unicode);
        assert!(
            screen.iter().any(|line| line.ends_with("hint: ← L")),
            "{screen:#?}"
        );
        assert!(
            screen.iter().any(|line| line.contains("██← o ·")),
            "{screen:#?}"
        );
    }

    #[test]
    fn a_small_terminal_says_how_large_it_must_be() {
        let screen = screen(LEFT_UP_LEFT, &[], (39, 12), Charset::Unicode);
        assert_eq!(screen[0], "this terminal is 39x12: make it at");
        assert_eq!(screen[1], "least 40x12");
    }

    #[test]
    fn help_has_the_keys_and_the_glyphs() {
        let screen = screen(LEFT_UP_LEFT, &[Command::Help], (80, 24), Charset::Ascii).join("\n");
        assert!(
            screen.contains("| arrows, h j k l, digits  move "),
            "{screen}"
        );
        assert!(
            screen.contains("| `o` Jimmy, `g` ghost, `#` solid, `.` empty"),
            "{screen}"
        );
    }
}
