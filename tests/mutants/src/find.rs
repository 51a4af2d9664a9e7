//! Finds the mutants of a file in its syntax tree.

use std::collections::BTreeMap;
use std::ops::Range;

use proc_macro2::{LineColumn, Span};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::{Mutant, Place};

/// A range of text that is put behind switches.
#[derive(Debug)]
pub struct Edit {
    pub stretch: Range<usize>,
    pub change: Change,
}

/// The mutants of a range, with their numbers.
#[derive(Debug)]
pub enum Change {
    Operator {
        operator: Range<usize>,
        mutants: Vec<(usize, String)>,
    },
    /// Makes a function return a value at once. The range is empty, at the start of its body.
    Return(Vec<(usize, String)>),
    /// Disables an arm. The range is empty, after a pattern without a guard.
    NoArm(usize),
    Guard {
        no_arm: Option<usize>,
        always: Option<usize>,
        never: Option<usize>,
    },
}

/// Returns the edits in the order of their starts, outer edits before inner ones.
pub fn edits(text: &str, mutants: &[Mutant]) -> syn::Result<Vec<Edit>> {
    let mut by_place: BTreeMap<Place, Vec<&Mutant>> = BTreeMap::new();
    for mutant in mutants {
        by_place.entry(mutant.span.start).or_default().push(mutant);
    }
    let line_starts = text.match_indices('\n').map(|(at, _)| at + 1);
    let mut finder = Finder {
        text,
        lines: std::iter::once(0).chain(line_starts).collect(),
        by_place,
        edits: Vec::new(),
    };
    finder.visit_file(&syn::parse_file(text)?);
    let mut edits = finder.edits;
    edits.sort_by_key(|edit| (edit.stretch.start, usize::MAX - edit.stretch.end));
    Ok(edits)
}

struct Finder<'a> {
    text: &'a str,
    lines: Vec<usize>,
    by_place: BTreeMap<Place, Vec<&'a Mutant>>,
    edits: Vec<Edit>,
}

impl<'a> Finder<'a> {
    fn offset(&self, at: LineColumn) -> usize {
        let line = self.lines[at.line - 1];
        let mut chars = self.text[line..].char_indices();
        chars
            .nth(at.column)
            .map_or(self.text.len(), |(i, _)| line + i)
    }

    fn range(&self, span: Span) -> Range<usize> {
        self.offset(span.start())..self.offset(span.end())
    }

    fn at(&self, span: Span, genre: &str) -> Vec<&'a Mutant> {
        let LineColumn { line, column } = span.start();
        let place = Place {
            line,
            column: column + 1,
        };
        let here = self.by_place.get(&place).into_iter().flatten().copied();
        here.filter(|mutant| mutant.genre == genre).collect()
    }

    fn add(&mut self, stretch: Range<usize>, change: Change) {
        self.edits.push(Edit { stretch, change });
    }

    /// Adds the mutants of a function's body, except if it returns `impl Trait`, which cannot be two types.
    fn body(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let Some(first) = block.stmts.first() else {
            return;
        };
        let mutants = self.at(first.span(), "FnValue");
        if !mutants.is_empty() && !self.text[self.range(signature.output.span())].contains("impl ")
        {
            let at = self.offset(block.brace_token.span.open().end());
            self.add(at..at, Change::Return(replacements(&mutants)));
        }
    }

    /// Adds the mutants of an arm's guard and, if the match also has a wildcard arm (`has_rest`), the mutant without this arm.
    fn arm(&mut self, arm: &syn::Arm, has_rest: bool) {
        let deleted = self.at(arm.pat.span(), "MatchArm");
        let no_arm = number(deleted.first()).filter(|_| has_rest);
        if let Some((_, guard)) = &arm.guard {
            let mutants = self.at(guard.span(), "MatchArmGuard");
            let with = |value| number(mutants.iter().find(|mutant| mutant.replacement == value));
            let (always, never) = (with("true"), with("false"));
            if no_arm.or(always).or(never).is_some() && !has_let(guard) {
                let change = Change::Guard {
                    no_arm,
                    always,
                    never,
                };
                self.add(self.range(guard.span()), change);
            }
        } else if let Some(number) = no_arm {
            let at = self.range(arm.pat.span()).end;
            self.add(at..at, Change::NoArm(number));
        }
    }

    fn operator(&mut self, expression: Span, operator: Span, genre: &str) {
        let mutants = self.at(operator, genre);
        if !mutants.is_empty() {
            let change = Change::Operator {
                operator: self.range(operator),
                mutants: replacements(&mutants),
            };
            self.add(self.range(expression), change);
        }
    }
}

fn number(mutant: Option<&&Mutant>) -> Option<usize> {
    mutant.map(|mutant| mutant.number)
}

fn replacements(mutants: &[&Mutant]) -> Vec<(usize, String)> {
    let replacement = |mutant: &&Mutant| (mutant.number, mutant.replacement.clone());
    mutants.iter().map(replacement).collect()
}

/// Returns whether a condition contains a `let`, so that it can't be parenthesized.
fn has_let(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(both) => has_let(&both.left) || has_let(&both.right),
        _ => false,
    }
}

/// Constants are skipped, because switches work only at run time.
impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_expr_repeat(&mut self, array: &'ast syn::ExprRepeat) {
        self.visit_expr(&array.expr);
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.body(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.body(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.body(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_expr_binary(&mut self, both: &'ast syn::ExprBinary) {
        if !has_let(&both.left) && !has_let(&both.right) {
            self.operator(both.span(), both.op.span(), "BinaryOperator");
        }
        visit::visit_expr_binary(self, both);
    }

    fn visit_expr_unary(&mut self, one: &'ast syn::ExprUnary) {
        self.operator(one.span(), one.op.span(), "UnaryOperator");
        visit::visit_expr_unary(self, one);
    }

    fn visit_expr_match(&mut self, whole: &'ast syn::ExprMatch) {
        let is_rest = |arm: &syn::Arm| matches!(arm.pat, syn::Pat::Wild(_)) && arm.guard.is_none();
        let has_rest = whole.arms.iter().any(is_rest);
        for arm in &whole.arms {
            self.arm(arm, has_rest);
        }
        visit::visit_expr_match(self, whole);
    }
}
