//! The Merkle-Patricia trie of Ethereum's state, level by level: nodes of one height depend on
//! lower nodes, but not on each other.

/// Digests of messages.
pub(crate) type Hasher = fn(&[&[u8]]) -> Vec<[u8; 32]>;

/// A hashed address, and the account's RLP.
pub(crate) type Account = ([u8; 32], Vec<u8>);

/// Nodes that are hashed together: as many as fit a core's cache.
const GROUP: usize = 1024;

#[derive(Clone, Copy)]
enum Node {
    Leaf {
        account: u32,
        depth: u8,
    },
    Extension {
        account: u32,
        from: u8,
        to: u8,
        child: u32,
    },
    /// The number of a branch.
    Branch(u32),
}

/// The child of a branch without one.
const NONE: u32 = u32::MAX;

/// The reference to a node in its parent: its digest, or the node itself if that is shorter.
#[derive(Clone, Copy)]
struct Reference {
    len: u8,
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
        Self { len: len as u8, bytes }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// The shape of a trie: nodes, each after those below it, and their indices by height.
pub(crate) struct Trie<'a> {
    accounts: &'a [Account],
    nodes: Vec<Node>,
    branches: Vec<[u32; 16]>,
    heights: Vec<Vec<u32>>,
}

fn nibble(key: &[u8; 32], i: usize) -> usize {
    usize::from(if i.is_multiple_of(2) { key[i / 2] >> 4 } else { key[i / 2] & 15 })
}

impl<'a> Trie<'a> {
    /// The shape for a non-empty list of accounts, sorted by key.
    pub(crate) fn new(accounts: &'a [Account]) -> Self {
        let mut trie = Self { accounts, nodes: vec![], branches: vec![], heights: vec![] };
        trie.grow(0, accounts.len(), 0);
        trie
    }

    fn push(&mut self, node: Node, height: usize) -> (u32, usize) {
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.heights.resize(self.heights.len().max(height + 1), Vec::new());
        self.heights[height].push(number);
        (number, height)
    }

    /// The node above accounts `first` to `end`, which agree in `depth` nibbles, and its height.
    fn grow(&mut self, first: usize, end: usize, depth: usize) -> (u32, usize) {
        let (account, from) = (first as u32, depth as u8);
        if end - first == 1 {
            return self.push(Node::Leaf { account, depth: from }, 0);
        }
        let (low, high) = (&self.accounts[first].0, &self.accounts[end - 1].0);
        let fork = (depth..64).find(|i| nibble(low, *i) != nibble(high, *i)).unwrap_or(64);
        if fork > depth {
            let (child, height) = self.grow(first, end, fork);
            let node = Node::Extension { account, from, to: fork as u8, child };
            return self.push(node, height + 1);
        }
        let (mut children, mut top, mut next) = ([NONE; 16], 0, first);
        while next < end {
            let branch = nibble(&self.accounts[next].0, depth);
            let same = |(key, _): &Account| nibble(key, depth) == branch;
            let after = next + self.accounts[next..end].partition_point(same);
            let (child, height) = self.grow(next, after, depth + 1);
            children[branch] = child;
            (top, next) = (top.max(height), after);
        }
        self.branches.push(children);
        self.push(Node::Branch(self.branches.len() as u32 - 1), top + 1)
    }

    /// The root of the trie. `keep` receives nodes of one height in RLP, and whether they are leaves.
    pub(crate) fn root(&self, hasher: Hasher, mut keep: impl FnMut(&[&[u8]], bool)) -> [u8; 32] {
        let mut references = vec![Reference { len: 0, bytes: [0; 33] }; self.nodes.len()];
        let (mut body, mut bytes, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        let mut root = [0; 32];
        let heights = self.heights.iter().enumerate();
        for (height, numbers) in heights.flat_map(|(z, all)| all.chunks(GROUP).map(move |n| (z, n)))
        {
            bytes.clear();
            ends.clear();
            for number in numbers {
                self.encode(self.nodes[*number as usize], &references, &mut body);
                header(0xc0, body.len(), &mut bytes);
                bytes.append(&mut body);
                ends.push(bytes.len());
            }
            let begins = [0].into_iter().chain(ends.iter().copied());
            let nodes: Vec<&[u8]> = begins.zip(&ends).map(|(from, to)| &bytes[from..*to]).collect();
            let digests = hasher(&nodes);
            for ((number, node), digest) in numbers.iter().zip(&nodes).zip(&digests) {
                references[*number as usize] = Reference::new(node, digest);
            }
            root = *digests.last().unwrap_or(&root);
            keep(&nodes, height == 0);
        }
        root
    }

    /// The contents of the list that represents a node.
    fn encode(&self, node: Node, references: &[Reference], body: &mut Vec<u8>) {
        match node {
            Node::Leaf { account, depth } => {
                let (key, value) = &self.accounts[account as usize];
                path(key, depth, 64, 2, body);
                string(value, body);
            }
            Node::Extension { account, from, to, child } => {
                path(&self.accounts[account as usize].0, from, to, 0, body);
                body.extend(references[child as usize].bytes());
            }
            Node::Branch(branch) => {
                for child in self.branches[branch as usize] {
                    match child {
                        NONE => body.push(0x80),
                        child => body.extend(references[child as usize].bytes()),
                    }
                }
                body.push(0x80); // no key ends at a branch: all have 64 nibbles
            }
        }
    }
}

/// Nibbles of a key in hex-prefix form; `flag` is 2 for a leaf.
fn path(key: &[u8; 32], from: u8, to: u8, flag: u8, out: &mut Vec<u8>) {
    let odd = (to - from) % 2;
    let [first, end] = [from + odd, to].map(usize::from);
    let mut bytes = [0; 33];
    let flag = (flag + odd) << 4;
    bytes[0] = if odd == 1 { flag | nibble(key, first - 1) as u8 } else { flag };
    for (i, byte) in (first..end).step_by(2).zip(&mut bytes[1..]) {
        *byte = (nibble(key, i) << 4 | nibble(key, i + 1)) as u8;
    }
    string(&bytes[..1 + (end - first) / 2], out);
}

/// A string in RLP.
pub(crate) fn string(bytes: &[u8], out: &mut Vec<u8>) {
    if !matches!(bytes, [0..0x80]) {
        header(0x80, bytes.len(), out);
    }
    out.extend(bytes);
}

/// The RLP header of a string or a list.
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
