//! The message of a hash object: as a constructor gets it, as bytes not hashed yet, and in a hasher.

use jlanes::{
    Algorithm, Backend, Blake2bVar, Blake2sVar,
    algorithm::{AnyHasher, Sha1Results},
    digest::Update,
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyBytes,
};

use crate::inputs::Data;

/// Messages longer than this are hashed without the GIL, as in hashlib.
pub(crate) const MAX_ATTACHED_BYTES: usize = 2047;

/// The maximum length of a message that is stored unhashed: a block of HMAC and a digest.
pub(crate) const MAX_SHORT_BYTES: usize = 96;

/// The bytes of a short message. Hashing them only in `digest` saves a copy of a hasher.
#[derive(Clone, Copy)]
pub(crate) struct Short {
    bytes: [u8; MAX_SHORT_BYTES],
    len: usize,
}

impl Short {
    pub(crate) const EMPTY: Self = Self { bytes: [0; MAX_SHORT_BYTES], len: 0 };

    /// Adds `data` if there is room. Returns whether there was.
    pub(crate) fn add(&mut self, data: &[u8]) -> bool {
        let Some(room) = self.bytes[self.len..].get_mut(..data.len()) else { return false };
        room.copy_from_slice(data);
        self.len += data.len();
        true
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// The message so far.
pub(crate) enum State {
    Short(Short),
    /// Up to [`MAX_ATTACHED_BYTES`] bytes that are not hashed yet, in the object that the constructor got.
    Object(Py<PyBytes>),
    Hasher(Box<Buffered<Box<dyn AnyHasher>>>),
}

/// Bytes that are collected before a call of the hasher, which takes as long as copying them.
const WAITING_BYTES: usize = 1024;

/// A hasher, and the last bytes of the message, which it has not got yet.
#[derive(Clone)]
pub(crate) struct Buffered<H> {
    hasher: H,
    waiting: [u8; WAITING_BYTES],
    len: usize,
}

/// A hasher that takes bytes: one type, or a box of any.
pub(crate) trait Absorb: Clone {
    fn absorb(&mut self, data: &[u8]);
}

impl Absorb for Box<dyn AnyHasher> {
    fn absorb(&mut self, data: &[u8]) {
        self.update(data);
    }
}

impl Absorb for Blake2bVar {
    fn absorb(&mut self, data: &[u8]) {
        Update::update(self, data);
    }
}

impl Absorb for Blake2sVar {
    fn absorb(&mut self, data: &[u8]) {
        Update::update(self, data);
    }
}

impl<H: Absorb> Buffered<H> {
    pub(crate) fn new(hasher: H) -> Box<Self> {
        Box::new(Self { hasher, waiting: [0; WAITING_BYTES], len: 0 })
    }

    /// Adds `data` to the message.
    pub(crate) fn update(&mut self, data: &[u8]) {
        if let Some(room) = self.waiting[self.len..].get_mut(..data.len()) {
            room.copy_from_slice(data);
            self.len += data.len();
            return;
        }
        self.hasher.absorb(&self.waiting[..self.len]);
        self.len = 0;
        self.hasher.absorb(data);
    }

    /// The hasher of the whole message so far.
    pub(crate) fn hasher(&self) -> H {
        let mut hasher = self.hasher.clone();
        hasher.absorb(&self.waiting[..self.len]);
        hasher
    }
}

/// The function of a hash object.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    pub(crate) algorithm: Algorithm,
    /// Whether `digest` raises an exception for a message of a collision attack.
    pub(crate) raises: bool,
}

impl State {
    pub(crate) fn copied(&self, py: Python<'_>) -> Self {
        match self {
            Self::Short(short) => Self::Short(*short),
            Self::Object(bytes) => Self::Object(bytes.clone_ref(py)),
            Self::Hasher(hasher) => Self::Hasher(hasher.clone()),
        }
    }

    /// The bytes of the message, if they are not hashed yet.
    pub(crate) fn message<'a>(&'a self, py: Python<'a>) -> Option<&'a [u8]> {
        match self {
            Self::Short(short) => Some(short.bytes()),
            Self::Object(bytes) => Some(bytes.as_bytes(py)),
            Self::Hasher(_) => None,
        }
    }

    /// A hasher of the message so far.
    pub(crate) fn hasher(
        &self,
        py: Python<'_>,
        function: Function,
    ) -> PyResult<Box<dyn AnyHasher>> {
        if let Self::Hasher(hasher) = self {
            return Ok(hasher.hasher());
        }
        let mut hasher = function.hasher()?;
        hasher.update(self.message(py).unwrap_or_default());
        Ok(hasher)
    }

    /// Adds `data`, unless that takes long or needs a hasher. Returns whether it did.
    pub(crate) fn add(&mut self, data: &[u8]) -> bool {
        match self {
            Self::Short(short) => short.add(data),
            Self::Hasher(hasher) if data.len() <= MAX_ATTACHED_BYTES => {
                hasher.update(data);
                true
            }
            Self::Object(_) | Self::Hasher(_) => false,
        }
    }

    /// Adds `data`, without the GIL if it is long.
    pub(crate) fn update(
        &mut self,
        py: Python<'_>,
        function: Function,
        data: &[u8],
    ) -> PyResult<()> {
        if self.add(data) {
            return Ok(());
        }
        if self.message(py).is_some() {
            *self = Self::Hasher(Buffered::new(self.hasher(py, function)?));
        }
        let Self::Hasher(hasher) = self else { unreachable!("a message becomes a hasher") };
        if data.len() > MAX_ATTACHED_BYTES {
            py.detach(|| hasher.update(data));
        } else {
            hasher.update(data);
        }
        Ok(())
    }
}

impl Function {
    pub(crate) fn hasher(self) -> PyResult<Box<dyn AnyHasher>> {
        if self.raises {
            return Ok(Sha1Results::hasher_on(Backend::detect()));
        }
        let hasher = self.algorithm.hasher_on(Backend::detect());
        hasher.map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

/// The message of a constructor, which newer versions of hashlib also accept as the keyword `string`.
pub(crate) fn message<'py>(data: Data<'py>, string: Data<'py>) -> PyResult<Data<'py>> {
    match (&data.0, &string.0) {
        (Some(_), Some(_)) => {
            Err(PyTypeError::new_err("'data' and 'string' are mutually exclusive"))
        }
        (Some(_), None) => Ok(data),
        (None, _) => Ok(string),
    }
}
