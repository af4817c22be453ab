mod determinism;
