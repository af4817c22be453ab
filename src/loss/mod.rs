//! Privacy-loss distributions, profiles and trade-off curves.
