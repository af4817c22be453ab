//! Random streams: every block of trials has its own, named by what it is for, so that any block
//! can be replayed alone and the number of threads changes nothing.

use rand::rngs::ChaCha8Rng;
use rand::{SeedableRng, TryRng};
use sha2::{Digest, Sha256};
use std::convert::Infallible;

/// The random stream a mechanism draws from: a counter-based generator (ChaCha8). It implements
/// `rand::Rng`, so every distribution of `rand` and `rand_distr` takes it.
///
/// A type of its own, so that it is compiled here, with optimization, and not in each crate that draws: code that is not
/// optimized (a debug build, a test) draws as fast.
#[derive(Debug, PartialEq, Eq)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// Goes to the start of another of the 2^64 streams of its seed.
    pub fn set_stream(&mut self, stream: u64) {
        self.0.set_stream(stream);
    }
}

impl SeedableRng for Stream {
    type Seed = [u8; 32];

    fn from_seed(seed: Self::Seed) -> Self {
        Self(ChaCha8Rng::from_seed(seed))
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

/// Purpose of a stream. Explore and confirm never share randomness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Learning how large outcomes are.
    Pilot,
    /// Looking for a pair of datasets.
    Survey,
    /// Looking for a witness: outcomes that are kept.
    Explore,
    /// Judging the best witnesses: outcomes that are counted.
    RehearseA,
    /// Judging the best witnesses, the other half.
    RehearseB,
    /// The counting that decides.
    Confirm,
    /// Finding out how the mechanism must be run.
    Prepare,
    /// Looking for datasets: which to try next.
    Search,
    /// Finding out how long its runs take.
    Measure,
    /// Splitting scores of an attack into those to choose on and those to count.
    Split,
    /// Drawing a table that is attacked, what is asked of it, and the noise of the answers.
    Rebuild,
    /// Drawing the noise of counts that are published.
    Publish,
    /// Drawing guesses about rows of a table, and pairs of rows to compare.
    Guess,
}

/// The family of streams of one audit.
#[derive(Clone, Debug)]
pub struct Streams {
    seed: u64,
    audit: String,
}

impl Streams {
    /// The streams of the audit of this name under this run seed.
    pub fn new(seed: u64, audit: &str) -> Self {
        Self { seed, audit: audit.to_owned() }
    }

    /// The generator for block `block` of a phase on a pair: key = SHA-256 of (seed, audit, pair,
    /// phase), stream number = block.
    pub fn block(&self, pair: usize, phase: Phase) -> impl Fn(u64) -> Stream + use<> {
        let mut hash = Sha256::new();
        hash.update(b"plaudit stream 1\0");
        hash.update(self.seed.to_le_bytes());
        hash.update((pair as u64).to_le_bytes());
        hash.update([phase as u8]);
        hash.update(self.audit.as_bytes());
        let key: [u8; 32] = hash.finalize().into();
        move |block| {
            let mut stream = Stream::from_seed(key);
            stream.set_stream(block);
            stream
        }
    }
}
