//! The Merkle-Patricia trie of Ethereum's state, level by level: nodes of one height wait for those
//! below them and not for each other.

/// Digests of messages that lie side by side and end at `ends`.
pub(crate) type Hasher = fn(&[u8], &[usize]) -> Vec<[u8; 32]>;

/// A hashed address, and the account's RLP.
pub(crate) type Account = ([u8; 32], Vec<u8>);

/// A trie's nodes in RLP, from leaves to the root: one buffer for each height, with the ends.
pub(crate) type Levels = Vec<(Vec<u8>, Vec<usize>)>;

enum Node {
    Leaf { account: usize, depth: usize },
    Extension { account: usize, from: usize, to: usize, child: usize },
    Branch { children: Vec<Option<usize>> },
}

/// How a node stands in its parent: its digest, or the node itself if that is shorter.
#[derive(Clone, Copy)]
struct Reference {
    len: usize,
    bytes: [u8; 33],
}

impl Reference {
    fn new(node: &[u8], digest: &[u8; 32]) -> Self {
        let mut bytes = [0xa0; 33]; // a string of 32 bytes
        let len = if node.len() < 32 { node.len() } else { 33 };
        match node {
            short if short.len() < 32 => bytes[..len].copy_from_slice(short),
            _ => bytes[1..].copy_from_slice(digest),
        }
        Self { len, bytes }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// The shape of a trie: nodes, each after those below it, and their numbers by height.
pub(crate) struct Trie<'a> {
    accounts: &'a [Account],
    nodes: Vec<Node>,
    heights: Vec<Vec<usize>>,
}

fn nibble(key: &[u8; 32], i: usize) -> usize {
    usize::from(if i.is_multiple_of(2) { key[i / 2] >> 4 } else { key[i / 2] & 15 })
}

impl<'a> Trie<'a> {
    /// The shape for accounts that are ordered by their keys, of which there are some.
    pub(crate) fn new(accounts: &'a [Account]) -> Self {
        let mut trie = Self { accounts, nodes: Vec::new(), heights: Vec::new() };
        trie.grow(0, accounts.len(), 0);
        trie
    }

    fn push(&mut self, node: Node, height: usize) -> (usize, usize) {
        let number = self.nodes.len();
        self.nodes.push(node);
        self.heights.resize(self.heights.len().max(height + 1), Vec::new());
        self.heights[height].push(number);
        (number, height)
    }

    /// The node above accounts `first` to `end`, which agree in `depth` nibbles, and its height.
    fn grow(&mut self, first: usize, end: usize, depth: usize) -> (usize, usize) {
        if end - first == 1 {
            return self.push(Node::Leaf { account: first, depth }, 0);
        }
        let (low, high) = (&self.accounts[first].0, &self.accounts[end - 1].0);
        let fork = (depth..64).find(|i| nibble(low, *i) != nibble(high, *i)).unwrap_or(64);
        if fork > depth {
            let (child, height) = self.grow(first, end, fork);
            let node = Node::Extension { account: first, from: depth, to: fork, child };
            return self.push(node, height + 1);
        }
        let (mut children, mut top, mut next) = (vec![None; 16], 0, first);
        while next < end {
            let branch = nibble(&self.accounts[next].0, depth);
            let same = |(key, _): &Account| nibble(key, depth) == branch;
            let after = next + self.accounts[next..end].partition_point(same);
            let (child, height) = self.grow(next, after, depth + 1);
            children[branch] = Some(child);
            (top, next) = (top.max(height), after);
        }
        self.push(Node::Branch { children }, top + 1)
    }

    /// The root of the trie; hands the nodes of each height to `keep`.
    pub(crate) fn root(
        &self,
        hasher: Hasher,
        mut keep: impl FnMut(Vec<u8>, Vec<usize>),
    ) -> [u8; 32] {
        let mut references = vec![Reference { len: 0, bytes: [0; 33] }; self.nodes.len()];
        let mut body = Vec::new();
        let mut root = [0; 32];
        for numbers in &self.heights {
            let (mut nodes, mut ends) = (Vec::new(), Vec::with_capacity(numbers.len()));
            for number in numbers {
                self.encode(&self.nodes[*number], &references, &mut body);
                header(0xc0, body.len(), &mut nodes);
                nodes.append(&mut body);
                ends.push(nodes.len());
            }
            let digests = hasher(&nodes, &ends);
            let mut begin = 0;
            for ((number, end), digest) in numbers.iter().zip(&ends).zip(&digests) {
                references[*number] = Reference::new(&nodes[begin..*end], digest);
                begin = *end;
            }
            root = *digests.last().unwrap_or(&root);
            keep(nodes, ends);
        }
        root
    }

    /// What the list that is a node has in it.
    fn encode(&self, node: &Node, references: &[Reference], body: &mut Vec<u8>) {
        match node {
            Node::Leaf { account, depth } => {
                let (key, value) = &self.accounts[*account];
                path(key, *depth, 64, 2, body);
                string(value, body);
            }
            Node::Extension { account, from, to, child } => {
                path(&self.accounts[*account].0, *from, *to, 0, body);
                body.extend(references[*child].bytes());
            }
            Node::Branch { children } => {
                for child in children {
                    match child {
                        Some(child) => body.extend(references[*child].bytes()),
                        None => body.push(0x80),
                    }
                }
                body.push(0x80); // no key ends at a branch: all have 64 nibbles
            }
        }
    }
}

/// Nibbles of a key in hex-prefix form; `flag` is 2 for a leaf.
fn path(key: &[u8; 32], from: usize, to: usize, flag: usize, out: &mut Vec<u8>) {
    let odd = (to - from) % 2;
    let mut bytes = Vec::with_capacity(33);
    bytes.push(((flag + odd) << 4) as u8 | if odd == 1 { nibble(key, from) as u8 } else { 0 });
    let pair = |i| (nibble(key, i) << 4 | nibble(key, i + 1)) as u8;
    bytes.extend((from + odd..to).step_by(2).map(pair));
    string(&bytes, out);
}

/// A string in RLP.
pub(crate) fn string(bytes: &[u8], out: &mut Vec<u8>) {
    if !matches!(bytes, [0..0x80]) {
        header(0x80, bytes.len(), out);
    }
    out.extend(bytes);
}

/// What stands before a string or a list in RLP.
pub(crate) fn header(kind: u8, len: usize, out: &mut Vec<u8>) {
    if len < 56 {
        out.push(kind + len as u8);
    } else {
        let bytes = len.to_be_bytes();
        let digits = &bytes[len.leading_zeros() as usize / 8..];
        out.push(kind + 55 + digits.len() as u8);
        out.extend(digits);
    }
}
