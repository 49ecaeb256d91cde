//! Patterns of names, of shells and of git. Time grows with the pattern times the name, whatever the pattern.

use std::mem;

/// More braces in braces than anybody writes.
const MAX_DEPTH: usize = 32;

/// A pattern.
#[derive(Clone, Debug)]
pub(super) struct Glob(Vec<Token>);

#[derive(Clone, Debug)]
enum Token {
    Char(char),
    /// Any character but a slash.
    Any,
    /// One of these characters, or any but these, and never a slash.
    Class {
        ranges: Vec<(char, char)>,
        is_negative: bool,
    },
    /// Any characters but slashes, none too.
    Star,
    /// Any characters, none too.
    Stars,
    /// Directories with the slash that is the next token, or nothing in place of both.
    Directories,
    /// Nothing; the pattern goes on at any of these tokens.
    Fork(Vec<usize>),
}

impl Token {
    fn literal(&self) -> Option<char> {
        if let Self::Char(char) = self { Some(*char) } else { None }
    }
}

/// How to read a pattern.
pub(super) struct Syntax {
    /// `{a,b}` is one of two patterns.
    pub(super) braces: bool,
    /// `**` is any number of directories.
    pub(super) paths: bool,
    /// Where the pattern begins for `**`, apart from slashes.
    pub(super) start: usize,
}

/// The bytes of a text as characters of Latin-1.
pub(super) fn bytes(text: &[u8]) -> Vec<char> {
    text.iter().copied().map(char::from).collect()
}

/// The characters of a text. Those for private use at the end of Unicode stand for bytes that are no UTF-8.
pub(super) fn characters(text: &[u8]) -> Vec<char> {
    let other = |byte: &u8| char::from_u32(0x0010_ff00 + u32::from(*byte)).expect("a character");
    let chunks = text.utf8_chunks();
    chunks.flat_map(|it| it.valid().chars().chain(it.invalid().iter().map(other))).collect()
}

impl Glob {
    /// The pattern, unless it is malformed.
    pub(super) fn new(pattern: &[char], syntax: &Syntax) -> Option<Self> {
        let mut parser = Parser { pattern, syntax, at: 0, tokens: Vec::new() };
        parser.tokens(0)?;
        Some(Self(parser.tokens))
    }

    /// Whether all of `text` matches.
    pub(super) fn is_match(&self, text: &[char]) -> bool {
        self.is_match_in(text, false)
    }

    /// Whether all of `text` matches, also if small letters and capitals are the same.
    pub(super) fn is_match_in(&self, text: &[char], ignores_case: bool) -> bool {
        let has =
            |ranges: &[(char, char)], char| ranges.iter().any(|(a, b)| (a..=b).contains(&&char));
        if !ignores_case {
            return self.is_match_by(text, has);
        }
        self.is_match_by(text, |ranges, char| {
            has(ranges, char.to_ascii_lowercase()) || has(ranges, char.to_ascii_uppercase())
        })
    }

    /// Whether all of `text` matches. `has` tells whether ranges have a character.
    fn is_match_by(&self, text: &[char], has: impl Fn(&[(char, char)], char) -> bool) -> bool {
        let Self(tokens) = self;
        // up to the last slash, which may be the one that `Directories` stand without
        let last = tokens.iter().rev().map_while(Token::literal).take_while(|char| *char != '/');
        if !last.zip(text.iter().rev()).all(|(wanted, char)| has(&[(wanted, wanted)], *char)) {
            return false;
        }
        // which tokens may take the next character; past their end, the pattern is complete
        let mut now = vec![false; tokens.len() + 1];
        let mut next = now.clone();
        enter(tokens, &mut now, 0);
        for char in text {
            next.fill(false);
            for (at, token) in tokens.iter().enumerate().filter(|(at, _)| now[*at]) {
                match token {
                    Token::Char(wanted) if !has(&[(*wanted, *wanted)], *char) => {}
                    Token::Any | Token::Class { .. } | Token::Star if *char == '/' => {}
                    Token::Class { ranges, is_negative } if has(ranges, *char) == *is_negative => {}
                    Token::Char(_) | Token::Any | Token::Class { .. } => {
                        enter(tokens, &mut next, at + 1);
                    }
                    Token::Star | Token::Stars => enter(tokens, &mut next, at),
                    Token::Directories => next[at..=at + 1].fill(true),
                    Token::Fork(_) => {}
                }
            }
            if !next.contains(&true) {
                return false;
            }
            mem::swap(&mut now, &mut next);
        }
        now[tokens.len()]
    }
}

/// Adds token `at`, and those after it if it may match nothing.
fn enter(tokens: &[Token], to: &mut [bool], at: usize) {
    let mut rest = vec![at];
    while let Some(at) = rest.pop() {
        if mem::replace(&mut to[at], true) {
            continue;
        }
        match tokens.get(at) {
            Some(Token::Star | Token::Stars) => rest.push(at + 1),
            Some(Token::Directories) => {
                to[at + 1] = true;
                rest.push(at + 2);
            }
            Some(Token::Fork(targets)) => rest.extend(targets),
            _ => {}
        }
    }
}

struct Parser<'p> {
    pattern: &'p [char],
    syntax: &'p Syntax,
    at: usize,
    tokens: Vec<Token>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.pattern.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    /// Reads to the end, or in braces to the end of an alternative.
    fn tokens(&mut self, depth: usize) -> Option<()> {
        while let Some(char) = self.peek() {
            if depth > 0 && matches!(char, ',' | '}') {
                return Some(());
            }
            self.at += 1;
            let token = match char {
                '\\' => Token::Char(self.next()?),
                '?' => Token::Any,
                '[' => self.class()?,
                '*' => self.stars(depth),
                '{' if self.syntax.braces && depth < MAX_DEPTH => {
                    self.braces(depth + 1)?;
                    continue;
                }
                '{' | '}' if self.syntax.braces => return None,
                _ => Token::Char(char),
            };
            if let ([.., Token::Directories, Token::Char('/')], Token::Directories) =
                (&self.tokens[..], &token)
            {
                self.at += 1; // the same directories, and the slash after them
                continue;
            }
            self.tokens.push(token);
        }
        (depth == 0).then_some(())
    }

    fn braces(&mut self, depth: usize) -> Option<()> {
        let fork = self.tokens.len();
        self.tokens.push(Token::Fork(Vec::new()));
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        loop {
            starts.push(self.tokens.len());
            self.tokens(depth)?;
            ends.push(self.tokens.len());
            self.tokens.push(Token::Fork(Vec::new()));
            if self.next()? == '}' {
                break;
            }
        }
        let past = self.tokens.len();
        ends.iter().for_each(|end| self.tokens[*end] = Token::Fork(vec![past]));
        self.tokens[fork] = Token::Fork(starts);
        Some(())
    }

    fn stars(&mut self, depth: usize) -> Token {
        let before = self.at - 1;
        if self.peek() != Some('*') {
            return Token::Star;
        }
        while self.peek() == Some('*') {
            self.at += 1;
        }
        let is_first = before == self.syntax.start
            || self.pattern[before - 1] == '/'
            || depth > 0 && matches!(self.pattern[before - 1], ',' | '{');
        match &self.pattern[self.at..] {
            _ if !is_first || !self.syntax.paths => Token::Star,
            ['/', ..] => Token::Directories,
            [] | ['\\', '/', ..] => Token::Stars,
            [',' | '}', ..] if depth > 0 => Token::Stars,
            _ => Token::Star,
        }
    }

    fn class(&mut self) -> Option<Token> {
        let is_negative = matches!(self.peek(), Some('!' | '^'));
        self.at += usize::from(is_negative);
        let mut ranges = Vec::new();
        let mut last = None;
        loop {
            last = match (last, &self.pattern[self.at..]) {
                (Some(first), ['-', end, ..]) if *end != ']' => {
                    self.at += 1;
                    ranges.push((first, self.escaped()?));
                    None
                }
                (_, ['[', ':', name @ ..]) if up_to_bracket(name)?.ends_with(&[':']) => {
                    let name = up_to_bracket(name)?;
                    self.at += 2 + name.len() + 1;
                    ranges.extend(named(&name[..name.len() - 1])?);
                    None
                }
                _ => {
                    let char = self.escaped()?;
                    ranges.push((char, char));
                    Some(char)
                }
            };
            if self.peek() == Some(']') {
                self.at += 1;
                return Some(Token::Class { ranges, is_negative });
            }
        }
    }

    /// The next character, or the one after a backslash.
    fn escaped(&mut self) -> Option<char> {
        self.at += usize::from(self.peek() == Some('\\'));
        self.next()
    }
}

fn up_to_bracket(pattern: &[char]) -> Option<&[char]> {
    Some(&pattern[..pattern.iter().position(|char| *char == ']')?])
}

/// The characters of the class `name`.
fn named(name: &[char]) -> Option<Vec<(char, char)>> {
    let name: String = name.iter().collect();
    let is_in: fn(&char) -> bool = match &name[..] {
        "alnum" => char::is_ascii_alphanumeric,
        "alpha" => char::is_ascii_alphabetic,
        "blank" => |char| matches!(char, ' ' | '\t'),
        "cntrl" => char::is_ascii_control,
        "digit" => char::is_ascii_digit,
        "graph" => char::is_ascii_graphic,
        "lower" => char::is_ascii_lowercase,
        "print" => |char| matches!(char, ' '..='~'),
        "punct" => char::is_ascii_punctuation,
        "space" => |char| matches!(char, ' ' | '\t' | '\n' | '\r'),
        "upper" => char::is_ascii_uppercase,
        "xdigit" => char::is_ascii_hexdigit,
        _ => return None,
    };
    Some(('\0'..='\x7f').filter(is_in).map(|char| (char, char)).collect())
}
