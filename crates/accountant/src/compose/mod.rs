//! Compositions of discretised laws, by Fourier transform.

pub(super) mod allocation;
pub(super) mod composed;
pub(super) mod pld;
pub(super) mod window;
