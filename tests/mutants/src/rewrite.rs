//! A file with all its mutants, of which `switch::of` chooses one at run time.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use anyhow::{Context, Result};
use proc_macro2::LineColumn;
use quote::ToTokens as _;
use syn::{
    Block, Expr, Signature,
    spanned::Spanned,
    visit::{self, Visit},
};

use crate::Mutant;

/// What replaces a part of the source.
struct Edit {
    range: Range<usize>,
    pieces: Vec<Piece>,
}

enum Piece {
    Text(String),
    /// A part of the source, with the edits in it.
    Source(Range<usize>),
}

use Piece::{Source, Text};

/// Where a mutant's span begins, and what kind of mutant it is.
type Place = (usize, usize, String);

struct Rewriter<'m> {
    wanted: HashMap<Place, Vec<(u32, &'m str)>>,
    /// Functions that have to stay `const`.
    keep_const: &'m HashSet<String>,
    edits: Vec<Edit>,
    /// Whether the code here is evaluated at compile time.
    constant: bool,
    out: Rewritten,
}

/// A file with its mutants.
#[derive(Default)]
pub struct Rewritten {
    pub text: String,
    /// The mutants that can be switched, each with the first one of its place.
    pub switched: Vec<(u32, u32)>,
    /// The mutants that cannot compile: a match without one of its arms and without a last resort.
    pub refused: Vec<u32>,
}

/// `source` with the mutants in it.
///
/// `dropped` do not compile; each mutant's alternative stands between `/*m7*/` and `/*e*/`, and each
/// place with mutants from 7 to 9 between `/*s7,3*/` and `/*e*/`.
pub fn rewrite(
    source: &str,
    mutants: &[&Mutant],
    dropped: &HashSet<u32>,
    keep_const: &HashSet<String>,
) -> Result<Rewritten> {
    let file = syn::parse_file(source).context("a file of the tree")?;
    let mut wanted: HashMap<Place, Vec<_>> = HashMap::new();
    for mutant in mutants.iter().filter(|mutant| !dropped.contains(&mutant.id)) {
        let place = (mutant.line, mutant.column, mutant.genre.clone());
        wanted.entry(place).or_default().push((mutant.id, &*mutant.replacement));
    }
    let mut rewriter = Rewriter {
        wanted,
        keep_const,
        edits: Vec::new(),
        constant: false,
        out: Rewritten::default(),
    };
    rewriter.visit_file(&file);
    let Rewriter { edits, mut out, .. } = rewriter;
    render(source, &edits, 0..source.len(), &mut out.text);
    Ok(out)
}

/// Appends a part of the source; `edits` are in the order of a visit, outer ones first.
fn render(source: &str, edits: &[Edit], range: Range<usize>, out: &mut String) {
    let is_inside = |edit: &Edit| range.start <= edit.range.start && edit.range.end <= range.end;
    let mut inside: Vec<_> = (0..edits.len()).filter(|at| is_inside(&edits[*at])).collect();
    inside.sort_by_key(|at| edits[*at].range.start);
    let mut end = range.start;
    for at in inside {
        let edit = &edits[at];
        if edit.range.start < end {
            continue;
        }
        out.push_str(&source[end..edit.range.start]);
        for piece in &edit.pieces {
            match piece {
                Text(text) => out.push_str(text),
                Source(part) => render(source, &edits[at + 1..], part.clone(), out),
            }
        }
        end = edit.range.end;
    }
    out.push_str(&source[end..range.end]);
}

impl<'m> Rewriter<'m> {
    /// The mutants of a kind at a place, and the text before and behind their alternatives.
    fn take(&mut self, genre: &str, start: LineColumn) -> Vec<(u32, &'m str)> {
        let place = (start.line, start.column + 1, genre.to_owned());
        let mut found =
            if self.constant { Vec::new() } else { self.wanted.remove(&place).unwrap_or_default() };
        // a dropped mutant leaves a gap in the numbers
        found.sort();
        self.out.switched.extend(found.iter().map(|(id, _)| (*id, found[0].0)));
        found
    }

    fn edit(&mut self, range: Range<usize>, pieces: Vec<Piece>) {
        self.edits.push(Edit { range, pieces });
    }

    fn constant(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.constant, true);
        visit(self);
        self.constant = outer;
    }

    /// A function's signature and body.
    fn function(&mut self, signature: &Signature, visit: impl FnOnce(&mut Self)) {
        let name = signature.ident.to_string();
        match &signature.constness {
            Some(word) if !self.keep_const.contains(&name) => {
                self.edit(word.span.byte_range(), vec![Text(String::new())]);
            }
            Some(_) => return self.constant(visit),
            None => {}
        }
        let outer = std::mem::replace(&mut self.constant, false);
        visit(self);
        self.constant = outer;
    }

    /// The values that a function may return in place of what its body computes.
    fn body(&mut self, signature: &Signature, block: &Block) {
        let Some(first) = block.stmts.first() else { return };
        if signature.output.to_token_stream().to_string().contains("impl ") {
            // the value would have another type
            return;
        }
        let values = self.take("FnValue", first.span().start());
        let at = block.brace_token.span.open().byte_range().end;
        for (id, value) in values {
            let value = value.replace("::std::", "::jlanes_switch::std::");
            let value = value.replace("vec![", "::jlanes_switch::std::vec![");
            let value = value.replace("String::new", "::jlanes_switch::std::string::String::new");
            let text = format!(
                "/*s{id},1*/if ::jlanes_switch::of({id}, 1) == 1 {{ return /*m{id}*/{value}/*e*/; }}/*e*/"
            );
            self.edit(at..at, vec![Text(text)]);
        }
    }
}

/// The numbers of a place, for `switch::of` and the marks.
fn numbers(found: &[(u32, &str)]) -> (u32, u32) {
    let first = found[0].0;
    (first, found[found.len() - 1].0 - first + 1)
}

/// Chooses at a place, after the text `before`, between what `arm` makes of each operator.
fn choice(
    before: Vec<Piece>,
    usual: &str,
    found: &[(u32, &str)],
    arm: impl Fn(&str) -> Vec<Piece>,
) -> Vec<Piece> {
    let (first, count) = numbers(found);
    let mut pieces = vec![text(format!("/*s{first},{count}*/(match "))];
    pieces.extend(before);
    pieces.push(text(format!(" => match ::jlanes_switch::of({first}, {count}) {{ ")));
    for (id, replacement) in found {
        pieces.push(text(format!("{} => /*m{id}*/", id - first + 1)));
        pieces.extend(arm(replacement));
        pieces.push(text("/*e*/, "));
    }
    pieces.push(text("_ => "));
    pieces.extend(arm(usual));
    pieces.push(text(" } })/*e*/"));
    pieces
}

fn text(text: impl Into<String>) -> Piece {
    Text(text.into())
}

/// Whether an operand binds names for those behind it.
fn binds(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(item) => binds(&item.left) || binds(&item.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Rewriter<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, |this| {
            this.body(&item.sig, &item.block);
            visit::visit_item_fn(this, item);
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, |this| {
            this.body(&item.sig, &item.block);
            visit::visit_impl_item_fn(this, item);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.function(&item.sig, |this| {
            if let Some(block) = &item.default {
                this.body(&item.sig, block);
            }
            visit::visit_trait_item_fn(this, item);
        });
    }

    fn visit_expr_binary(&mut self, item: &'ast syn::ExprBinary) {
        let range = item.span().byte_range();
        let left = || Source(item.left.span().byte_range());
        let right = || Source(item.right.span().byte_range());
        let usual = item.op.to_token_stream().to_string().replace(' ', "");
        let is_chain = matches!(usual.as_str(), "&&" | "||");
        let found = match binds(&item.left) || binds(&item.right) {
            true => Vec::new(),
            false => self.take("BinaryOperator", item.op.span().start()),
        };
        let operator = |op: &str| vec![text(format!("l {op} r"))];
        let pieces = match usual.as_str() {
            _ if found.is_empty() => None,
            // one value of the left operand decides, and with the other the right one does
            _ if is_chain => {
                let (first, count) = numbers(&found);
                let (equals, decided) = if usual == "&&" { ("==", "!=") } else { ("!=", "==") };
                let of = format!("::jlanes_switch::of({first}, {count})");
                Some(vec![
                    text(format!("/*s{first},{count}*/(if (")),
                    left(),
                    text(format!(") {equals} ({of} == 0) {{ ")),
                    right(),
                    text(format!(" }} else {{ {of} {decided} 0 }})/*e*/")),
                ])
            }
            // operands may be without a size
            "==" | "!=" | "<" | "<=" | ">" | ">=" => {
                let before = vec![text("(&("), left(), text("), &("), right(), text(")) { (l, r)")];
                let operator = |op: &str| vec![text(format!("*l {op} *r"))];
                Some(choice(before, &usual, &found, operator))
            }
            _ if usual.ends_with('=') => {
                let before = vec![right(), text(" { r")];
                let operator = |op: &str| vec![left(), text(format!(" {op} r"))];
                Some(choice(before, &usual, &found, operator))
            }
            _ => {
                let before = vec![text("("), left(), text(", "), right(), text(") { (l, r)")];
                Some(choice(before, &usual, &found, operator))
            }
        };
        self.edits.extend(pieces.map(|pieces| Edit { range, pieces }));
        visit::visit_expr_binary(self, item);
    }

    fn visit_expr_unary(&mut self, item: &'ast syn::ExprUnary) {
        let found = self.take("UnaryOperator", item.op.span().start());
        if !found.is_empty() {
            let operand = Source(item.expr.span().byte_range());
            let before = vec![text("("), operand, text(") { v")];
            let usual = item.op.to_token_stream().to_string();
            let pieces = choice(before, &usual, &found, |op| vec![text(format!("{op} v"))]);
            self.edit(item.span().byte_range(), pieces);
        }
        visit::visit_expr_unary(self, item);
    }

    fn visit_expr_match(&mut self, item: &'ast syn::ExprMatch) {
        let is_last_resort =
            |arm: &syn::Arm| arm.guard.is_none() && matches!(arm.pat, syn::Pat::Wild(_));
        if !item.arms.iter().any(is_last_resort) {
            for arm in &item.arms {
                let deleted = self.take("MatchArm", arm.span().start());
                self.out.refused.extend(deleted.iter().map(|(id, _)| id));
            }
        }
        visit::visit_expr_match(self, item);
    }

    fn visit_arm(&mut self, item: &'ast syn::Arm) {
        let deleted = self.take("MatchArm", item.span().start());
        let guard = item.guard.as_ref().map(|(_, guard)| guard.span());
        let replaced = guard.map_or(Vec::new(), |span| self.take("MatchArmGuard", span.start()));
        if let [(id, _)] = deleted[..] {
            let is_there = format!("/*s{id},1*/::jlanes_switch::of({id}, 1) == 0/*e*/");
            let end = item.pat.span().byte_range().end;
            match guard.map(|span| span.byte_range()) {
                Some(range) => {
                    let pieces =
                        vec![text(format!("{is_there} && (")), Source(range.clone()), text(")")];
                    self.edit(range, pieces);
                }
                None => self.edit(end..end, vec![text(format!(" if {is_there}"))]),
            }
        }
        if let (false, Some(span)) = (replaced.is_empty(), guard) {
            let arm = |value: &str| match value {
                "" => vec![Source(span.byte_range())],
                value => vec![text(value)],
            };
            let pieces = choice(vec![text("() { ()")], "", &replaced, arm);
            self.edit(span.byte_range(), pieces);
        }
        visit::visit_arm(self, item);
    }

    // what is evaluated by the compiler
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(|this| visit::visit_item_const(this, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(|this| visit::visit_item_static(this, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constant(|this| visit::visit_impl_item_const(this, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.constant(|this| visit::visit_trait_item_const(this, item));
    }

    fn visit_expr_const(&mut self, item: &'ast syn::ExprConst) {
        self.constant(|this| visit::visit_expr_const(this, item));
    }

    fn visit_variant(&mut self, _: &'ast syn::Variant) {}

    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}

    fn visit_pat(&mut self, _: &'ast syn::Pat) {}

    fn visit_expr_repeat(&mut self, item: &'ast syn::ExprRepeat) {
        self.visit_expr(&item.expr);
    }
}
