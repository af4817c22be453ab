//! Reading outcomes as they come from other programs: JSON lines and arrays of numpy.save.

#[path = "support/timing.rs"]
mod timing;

use plaudit::laplace;
use plaudit::mechanism::wire::{npy::read_array, push_lines};
use plaudit::mechanism::{Outcomes, Stream};
use rand::SeedableRng;
use std::hint::black_box;

const OUTCOMES: usize = 65_536;

fn lines() {
    let mut random = Stream::seed_from_u64(1);
    let numbers: Vec<f64> = (0..OUTCOMES).map(|_| laplace(&mut random, 1.0)).collect();
    let text = |line: &dyn Fn(f64) -> String| {
        numbers.iter().map(|x| line(*x) + "\n").collect::<String>().into_bytes()
    };
    let cases = [
        ("numbers", text(&|x| format!("{x:?}"))),
        ("numbers in 17 digits", text(&|x| format!("{x:.16e}"))),
        ("integers", text(&|x| format!("{}", (100.0 * x) as i64))),
        ("words", text(&|x| (if x > 0.0 { "\"yes\"" } else { "\"no\"" }).into())),
        ("vectors of three", text(&|x| format!("[{x:?}, {:?}, {:?}]", 2.0 * x, 3.0 * x))),
        ("timed numbers", text(&|x| format!("{{\"$ns\": 1234, \"value\": {x:?}}}"))),
    ];
    for (name, buffer) in cases {
        let mut outcomes = Outcomes::new();
        timing::measure(&format!("json lines, {name}"), OUTCOMES, || {
            outcomes.clear();
            push_lines(black_box(&buffer), OUTCOMES, &mut outcomes).expect("lines")
        });
    }
}

fn arrays() {
    for (name, descr, size, shape) in [
        ("doubles", "<f8", 8, "(65536,)"),
        ("big-endian doubles", ">f8", 8, "(65536,)"),
        ("singles", "<f4", 4, "(65536,)"),
        ("integers", "<i8", 8, "(65536,)"),
        ("bytes", "|u1", 1, "(65536,)"),
        ("vectors of three", "<f8", 24, "(65536, 3)"),
    ] {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut array = b"\x93NUMPY\x01\x00".to_vec();
        array.extend((header.len() as u16).to_le_bytes());
        array.extend(header.as_bytes());
        array.extend((0..OUTCOMES * size).map(|i| (i % 63) as u8));
        let mut outcomes = Outcomes::new();
        timing::measure(&format!("npy, {name}"), OUTCOMES, || {
            outcomes.clear();
            read_array(&mut black_box(&array[..]), OUTCOMES, &mut outcomes).expect("an array")
        });
    }
}

fn main() {
    lines();
    arrays();
}
