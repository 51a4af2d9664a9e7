//! Renders the subset of Markdown used by the rules, for a terminal.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::text::{Colors, wrap};

const INDENT: &str = "  ";
const UNBROKEN: char = '\u{a0}';

/// Renders a text, with paragraphs and list items wrapped to `width`. Without colours, backticks mark inline code.
pub fn render(markdown: &str, width: usize, colors: Colors) -> String {
    let mut page = Page {
        width,
        colors,
        ..Page::default()
    };
    Parser::new(markdown).for_each(|event| page.event(event));
    page.text
}

pub fn code_block(markdown: &str, beginning: &str) -> Option<String> {
    let mut is_code = false;
    Parser::new(markdown).find_map(|event| match event {
        Event::Text(text) if is_code && text.starts_with(beginning) => Some(text.into_string()),
        event => {
            is_code |= matches!(event, Event::Start(Tag::CodeBlock(_)));
            is_code &= event != Event::End(TagEnd::CodeBlock);
            None
        }
    })
}

#[derive(Default)]
struct Page {
    text: String,
    line: String,
    lists: Vec<Option<u64>>,
    marker: Option<String>,
    is_code: bool,
    width: usize,
    colors: Colors,
}

impl Page {
    fn event(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.is_code => self.code_block(&text),
            Event::Text(text) => self.line.push_str(&text),
            Event::Code(code) => self.code(&code),
            Event::SoftBreak | Event::HardBreak => self.line.push(' '),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag) {
        match tag {
            Tag::Heading { .. } | Tag::Paragraph => self.gap(),
            Tag::CodeBlock(_) => {
                self.gap();
                self.is_code = true;
            }
            Tag::List(first) => {
                self.flush();
                if self.lists.is_empty() {
                    self.gap();
                }
                self.lists.push(*first);
            }
            Tag::Item => self.marker = Some(self.next_marker()),
            Tag::Strong => self.open(Style::new().bold()),
            Tag::Emphasis => self.open(Style::new().italic()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => self.heading(),
            TagEnd::Paragraph | TagEnd::Item => self.flush(),
            TagEnd::CodeBlock => self.is_code = false,
            TagEnd::List(_) => _ = self.lists.pop(),
            TagEnd::Strong => self.close(Style::new().bold()),
            TagEnd::Emphasis => self.close(Style::new().italic()),
            _ => {}
        }
    }

    fn gap(&mut self) {
        if !self.text.is_empty() && self.marker.is_none() {
            self.text.push('\n');
        }
    }

    fn next_marker(&mut self) -> String {
        let Some(Some(number)) = self.lists.last_mut() else {
            return "- ".into();
        };
        *number += 1;
        format!("{}. ", *number - 1)
    }

    fn heading(&mut self) {
        let style = self.style(AnsiColor::Yellow.on_default().bold());
        let title = std::mem::take(&mut self.line);
        let _ = writeln!(self.text, "{style}{title}{style:#}");
    }

    fn flush(&mut self) {
        if self.line.is_empty() {
            return;
        }
        let marker = self.marker.take().unwrap_or_default();
        let outer = INDENT.repeat(1 + self.lists.len().saturating_sub(1));
        let first = format!("{outer}{marker}");
        let rest = " ".repeat(first.len());
        let text = wrap(&self.line, self.width, &first, &rest).replace(UNBROKEN, " ");
        self.line.clear();
        self.text.push_str(&text);
        self.text.push('\n');
    }

    fn code(&mut self, code: &str) {
        let code = code.replace(' ', &UNBROKEN.to_string());
        let style = self.style(AnsiColor::Cyan.on_default());
        self.line += &match self.colors {
            Colors::Off => format!("`{code}`"),
            Colors::On => format!("{style}{code}{style:#}"),
        };
    }

    fn code_block(&mut self, text: &str) {
        let style = self.style(AnsiColor::Cyan.on_default());
        for line in text.lines() {
            let _ = writeln!(self.text, "{INDENT}{INDENT}{style}{line}{style:#}");
        }
    }

    fn style(&self, style: Style) -> Style {
        match self.colors {
            Colors::On => style,
            Colors::Off => Style::new(),
        }
    }

    fn open(&mut self, style: Style) {
        self.line += &self.style(style).to_string();
    }

    fn close(&mut self, style: Style) {
        self.line += &format!("{:#}", self.style(style));
    }
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
