//! A batch compared with a model, over random scripts: messages are submitted, wait, fail and go on in any
//! order, and batches are dropped before they end. A script that fails is shrunk to a small one.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
};

use jlanes_core::{
    function::{Ended, Function as Value, InFlight, Progress, Source, Usage},
    hash::{Output, WordOf},
};
use jlanes_testing::message;
use proptest::{collection::vec, prelude::*, test_runner::TestRunner};

use crate::{Function, backend, block, expected};

for_every_function!(batches_follow_a_model);

/// A message of a script.
#[derive(Clone, Debug)]
struct Plan {
    /// Bytes, in 24ths of a block.
    len: usize,
    /// Lengths of its pieces, over and over.
    pieces: Vec<usize>,
    /// Before which pieces it waits, over and over.
    waits: Vec<bool>,
    /// Whether an error takes the place of its end.
    fails: bool,
}

#[derive(Clone, Debug)]
enum Operation {
    Submit(Plan),
    Step,
    /// Lets one of the messages continue once.
    Wake(usize),
    /// Drops the batch with all messages in it.
    Cancel,
}

#[derive(Clone, Debug)]
struct Script {
    /// The most messages that may wait.
    most: usize,
    /// Which prefix all messages have.
    prefix: usize,
    operations: Vec<Operation>,
}

fn scripts() -> impl Strategy<Value = Script> {
    let parts = (0..100_usize, vec(1..300_usize, 1..4), vec(any::<bool>(), 1..4), 0..8);
    let plan = parts.prop_map(|(len, pieces, waits, fails)| {
        Operation::Submit(Plan { len, pieces, waits, fails: fails == 0 })
    });
    let operation = prop_oneof![
        8 => plan,
        8 => Just(Operation::Step),
        8 => (0..40_usize).prop_map(Operation::Wake),
        1 => Just(Operation::Cancel),
    ];
    let most = prop_oneof![1..5_usize, Just(usize::MAX)];
    let parts = (most, 0..4_usize, vec(operation, 0..80));
    parts.prop_map(|(most, prefix, operations)| Script { most, prefix, operations })
}

/// The state of a message that it shares with the model.
#[derive(Default)]
struct Shared {
    /// The number of times that it may still pass a place where it waits.
    passes: Cell<usize>,
    /// The waker that it left where it waits.
    waker: RefCell<Option<Waker>>,
}

/// A message that follows its plan. Its pieces stand in the lane's buffer.
struct Scripted {
    number: usize,
    plan: Plan,
    rest: Vec<u8>,
    piece: usize,
    begun: bool,
    passed: bool,
    shared: Rc<Shared>,
}

/// A lane's buffer, and the message that had it last.
#[derive(Default)]
struct Owned {
    owner: Option<usize>,
    bytes: Vec<u8>,
}

impl Source for Scripted {
    type Key = usize;
    type Error = usize;
    type Buffer = Owned;

    fn fill(&mut self, cx: &mut Context<'_>, buffer: &mut Owned) -> Poll<Result<(), usize>> {
        if !self.begun {
            assert!(buffer.bytes.is_empty(), "a buffer with bytes of another message");
            buffer.owner = Some(self.number);
            self.begun = true;
        }
        assert_eq!(buffer.owner, Some(self.number), "the buffer of another message");
        let buffer = &mut buffer.bytes;
        if !buffer.is_empty() {
            return Poll::Ready(Ok(()));
        }
        let Plan { waits, pieces, fails, .. } = &self.plan;
        if waits[self.piece % waits.len()] && !self.passed {
            let Some(passes) = self.shared.passes.get().checked_sub(1) else {
                *self.shared.waker.borrow_mut() = Some(cx.waker().clone());
                return Poll::Pending;
            };
            self.shared.passes.set(passes);
            self.shared.waker.take();
        }
        if self.rest.is_empty() {
            self.passed = true;
            return Poll::Ready(if *fails { Err(self.number) } else { Ok(()) });
        }
        let len = pieces[self.piece % pieces.len()].min(self.rest.len());
        buffer.extend(self.rest.drain(..len));
        self.piece += 1;
        Poll::Ready(Ok(()))
    }

    fn piece<'a>(&'a self, buffer: &'a Owned) -> &'a [u8] {
        &buffer.bytes
    }

    fn consume(&mut self, buffer: &mut Owned, n: usize) {
        buffer.bytes.drain(..n);
    }

    fn into_key(self) -> usize {
        self.number
    }
}

/// A waker that can be told from others.
struct Told;

impl Wake for Told {
    fn wake(self: Arc<Self>) {}
}

/// A message, as the model sees it.
struct Expected<H: Function> {
    shared: Rc<Shared>,
    outcome: Result<Output<H>, usize>,
    blocks: u64,
    ended: bool,
    cancelled: bool,
}

struct Model<H: Function> {
    most: usize,
    prefix: Vec<u8>,
    batch: InFlight<WordOf<H>, Scripted>,
    queue: VecDeque<Scripted>,
    messages: Vec<Expected<H>>,
    /// Of batches that were dropped.
    usage: Usage,
}

/// The bytes before messages: none, less than a block, a key's block, and more than a block.
fn prefix<H: Function>(number: usize) -> Vec<u8> {
    message(70 + number as u64, [0, 5, block::<H>(), block::<H>() + 5][number])
}

impl<H: Function> Model<H> {
    fn new(most: usize, prefix: Vec<u8>) -> Self {
        let (queue, messages) = (VecDeque::new(), Vec::new());
        let (batch, usage) = (Self::batch(most, &prefix), Usage::default());
        Self { most, prefix, batch, queue, messages, usage }
    }

    fn batch(most: usize, prefix: &[u8]) -> InFlight<WordOf<H>, Scripted> {
        let mut batch = InFlight::new(&Value::of::<H, _>(backend::<H>()), prefix);
        batch.park_at_most(most);
        batch
    }

    fn submit(&mut self, plan: Plan) {
        let number = self.messages.len();
        let rest = message(number as u64, plan.len * block::<H>() / 24);
        let whole = [&self.prefix[..], &rest].concat();
        let outcome = if plan.fails { Err(number) } else { Ok(expected::<H>(&whole)) };
        let (_, left) = Value::of::<H, _>(backend::<H>()).after(&self.prefix);
        let blocks = H::DESCRIPTOR.blocks(left.len() + rest.len()) as u64;
        let shared = Rc::<Shared>::default();
        let ours = Rc::clone(&shared);
        self.messages.push(Expected {
            shared: ours,
            outcome,
            blocks,
            ended: false,
            cancelled: false,
        });
        let (piece, begun, passed) = (0, false, false);
        let source = Scripted { number, plan, rest, piece, begun, passed, shared };
        self.queue.push_back(source);
    }

    /// Messages that a batch or the queue has.
    fn under_way(&self) -> usize {
        self.messages.iter().filter(|message| Rc::strong_count(&message.shared) == 2).count()
    }

    fn step(&mut self) -> Progress {
        let Self { batch, queue, messages, .. } = self;
        let waker = Waker::from(Arc::new(Told));
        let mut done = |source: Scripted, outcome: Result<Ended<'_, WordOf<H>>, usize>| {
            let outcome = outcome.map(|end| {
                let mut digest = Output::<H>::default();
                end.write(&mut digest);
                digest
            });
            let message = &mut messages[source.number];
            assert!(!message.ended && !message.cancelled, "message {} ends twice", source.number);
            assert!(source.rest.is_empty(), "message {} ends early", source.number);
            assert_eq!(outcome, message.outcome, "message {}", source.number);
            message.ended = true;
        };
        let cx = &mut Context::from_waker(&waker);
        let progress = batch.step(cx, &mut |_| queue.pop_front(), &mut done);
        let (live, lanes) = (self.batch.live(), self.batch.lanes());
        assert_eq!(self.under_way(), live + self.queue.len(), "messages are lost");
        assert!(live <= self.most.saturating_add(lanes), "{live} messages are held");
        let mut left = self.messages.iter().filter(|message| !message.ended && !message.cancelled);
        match progress {
            Progress::Idle => assert_eq!((live, self.queue.len()), (0, 0)),
            Progress::Waiting => {
                let told = |message: &Expected<H>| {
                    let left = message.shared.waker.borrow();
                    left.as_ref().is_some_and(|left| left.will_wake(&waker))
                };
                let waits = left.by_ref().filter(|message| told(message)).count();
                assert_eq!(waits, live, "all that wait have seen the waker");
            }
            _ => {}
        }
        progress
    }

    fn follow(&mut self, operation: Operation) {
        match operation {
            Operation::Submit(plan) => self.submit(plan),
            Operation::Step => _ = self.step(),
            Operation::Wake(number) => {
                if let Some(message) = self.messages.get(number) {
                    message.shared.passes.set(message.shared.passes.get() + 1);
                }
            }
            Operation::Cancel => {
                self.usage.add(self.batch.usage());
                self.batch = Self::batch(self.most, &self.prefix);
                assert_eq!(self.under_way(), self.queue.len(), "messages outlive their batch");
                for message in &mut self.messages {
                    message.cancelled |= !message.ended && Rc::strong_count(&message.shared) == 1;
                }
            }
        }
    }

    /// Lets all messages come to their ends.
    fn finish(&mut self) {
        for message in &self.messages {
            message.shared.passes.set(usize::MAX);
        }
        let mut steps = 0;
        while self.step() != Progress::Idle {
            steps += 1;
            assert!(steps < 10_000, "it does not end");
        }
        assert!(self.messages.iter().all(|message| message.ended || message.cancelled));
        let mut usage = self.usage;
        usage.add(self.batch.usage());
        let failed = |message: &&Expected<H>| message.cancelled || message.outcome.is_err();
        if !self.messages.iter().any(|message| failed(&message)) {
            let all: u64 = self.messages.iter().map(|message| message.blocks).sum();
            assert_eq!(usage.blocks, all);
        }
        assert!(usage.steps <= usage.blocks);
    }
}

fn batches_follow_a_model<H: Function>() {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) };
    let property = |script: Script| {
        let mut model = Model::<H>::new(script.most, prefix::<H>(script.prefix));
        script.operations.into_iter().for_each(|operation| model.follow(operation));
        model.finish();
        Ok(())
    };
    if let Err(failure) = TestRunner::new(config).run(&scripts(), property) {
        panic!("{failure}");
    }
}
