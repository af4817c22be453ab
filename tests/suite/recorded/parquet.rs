//! Outcomes recorded in Parquet files: the same verdicts and outcomes as from other formats.
//!
//! `cargo test --release --features parquet --test recorded_parquet`. The verdicts of true claims are
//! wrong with probability at most 1e-6; those of false ones are far from the truth. Seeds are fixed.

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use plaudit::finding::Finding;
use plaudit::game::Control;
use plaudit::mechanism::Recordings;
use plaudit::mechanism::recorded::{CsvColumns, Source};
use plaudit::spec::{self, Overrides};
use plaudit::{Stream, Verdict, laplace};
use rand::SeedableRng;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A column: its name, how Parquet calls its type, and its values, null where there are too few.
struct Column {
    name: &'static str,
    physical: Physical,
    converted: ConvertedType,
    values: Values,
}

enum Values {
    Doubles(Vec<Option<f64>>),
    Integers(Vec<i64>),
    Short(Vec<i32>),
    Bools(Vec<bool>),
    Words(Vec<&'static str>),
}

fn column(name: &'static str, values: Values) -> Column {
    let (physical, converted) = match &values {
        Values::Doubles(_) => (Physical::DOUBLE, ConvertedType::NONE),
        Values::Integers(_) => (Physical::INT64, ConvertedType::NONE),
        Values::Short(_) => (Physical::INT32, ConvertedType::UINT_32),
        Values::Bools(_) => (Physical::BOOLEAN, ConvertedType::NONE),
        Values::Words(_) => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
    };
    Column { name, physical, converted, values }
}

/// Writes columns in row groups of at most `group` rows.
fn write(path: &Path, columns: &[Column], group: usize, compression: Compression) {
    let fields = columns.iter().map(|column| {
        let field = Type::primitive_type_builder(column.name, column.physical)
            .with_converted_type(column.converted)
            .with_repetition(match column.values {
                Values::Doubles(_) => Repetition::OPTIONAL,
                _ => Repetition::REQUIRED,
            });
        Arc::new(field.build().unwrap())
    });
    let schema = Type::group_type_builder("schema").with_fields(fields.collect()).build().unwrap();
    let properties = WriterProperties::builder().set_compression(compression).build();
    let file = std::fs::File::create(path).unwrap();
    let mut writer =
        SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)).unwrap();
    let rows = match &columns[0].values {
        Values::Doubles(v) => v.len(),
        Values::Integers(v) => v.len(),
        Values::Short(v) => v.len(),
        Values::Bools(v) => v.len(),
        Values::Words(v) => v.len(),
    };
    for start in (0..rows).step_by(group) {
        let part = start..rows.min(start + group);
        let mut groups = writer.next_row_group().unwrap();
        for column in columns {
            let mut open = groups.next_column().unwrap().unwrap();
            let column = &column.values;
            fn put<T: DataType>(
                open: &mut parquet::file::writer::SerializedColumnWriter<'_>,
                values: &[T::T],
                present: Option<&[i16]>,
            ) {
                open.typed::<T>().write_batch(values, present, None).unwrap();
            }
            match column {
                Values::Doubles(v) => {
                    let there: Vec<f64> = v[part.clone()].iter().flatten().copied().collect();
                    let present: Vec<i16> =
                        v[part.clone()].iter().map(|x| i16::from(x.is_some())).collect();
                    put::<DoubleType>(&mut open, &there, Some(&present));
                }
                Values::Integers(v) => put::<Int64Type>(&mut open, &v[part.clone()], None),
                Values::Short(v) => put::<Int32Type>(&mut open, &v[part.clone()], None),
                Values::Bools(v) => put::<BoolType>(&mut open, &v[part.clone()], None),
                Values::Words(v) => {
                    let words: Vec<ByteArray> =
                        v[part.clone()].iter().map(|w| (*w).into()).collect();
                    put::<ByteArrayType>(&mut open, &words, None);
                }
            }
            open.close().unwrap();
        }
        groups.close().unwrap();
    }
    writer.close().unwrap();
}

/// All that a file holds, in words.
fn read(path: &Path, columns: CsvColumns) -> Result<Vec<String>, String> {
    let source = Source { d: path.into(), d_prime: path.into(), columns };
    let recordings = Recordings::new(&source)?;
    recordings.look().map_err(|(why, _)| why)?;
    let never = AtomicBool::new(false);
    let mut all = Vec::new();
    recordings
        .pass(
            0,
            &never,
            || true,
            |part| all.extend(part.iter().map(|outcome| format!("{outcome:?}"))),
        )
        .map_err(|trouble| trouble.to_string())?;
    assert_eq!(recordings.runs(&never).unwrap()[0], all.len() as u64);
    Ok(all)
}

#[test]
fn every_type_of_column_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.parquet");
    let columns = [
        column(
            "x",
            Values::Doubles(vec![Some(0.1), None, Some(-0.0), Some(f64::NAN), Some(1e300)]),
        ),
        column("i", Values::Integers(vec![1, -2, i64::MAX, i64::MIN, 0])),
        column("u", Values::Short(vec![1, -1, 2, 3, 4])),
        column("b", Values::Bools(vec![true, false, true, true, false])),
        column("w", Values::Words(vec!["north", "", "süd", "1", "null"])),
    ];
    for (group, compression) in [
        (5, Compression::UNCOMPRESSED),
        (2, Compression::SNAPPY),
        // The default of polars.
        (2, Compression::ZSTD(ZstdLevel::default())),
    ] {
        write(&path, &columns, group, compression);
        let one = |name: &str| read(&path, CsvColumns::One(name.into())).unwrap().join(" ");
        assert_eq!(
            one("x"),
            "Number(0.1) Structure(\"null\") Number(-0.0) Number(NaN) Number(1e300)"
        );
        assert_eq!(
            one("i"),
            format!(
                "Integer(1) Integer(-2) Integer({}) Integer({}) Integer(0)",
                i64::MAX,
                i64::MIN
            )
        );
        assert_eq!(one("u"), "Integer(1) Integer(4294967295) Integer(2) Integer(3) Integer(4)");
        assert_eq!(one("b"), "Integer(1) Integer(0) Integer(1) Integer(1) Integer(0)");
        assert_eq!(one("w"), "Text(\"north\") Text(\"\") Text(\"süd\") Text(\"1\") Text(\"null\")");
        let vectors = read(&path, CsvColumns::Several(vec!["b".into(), "x".into()])).unwrap();
        assert_eq!(vectors[..2], ["Vector([1.0, 0.1])", "Vector([0.0, NaN])"]);
        assert_eq!(vectors.len(), 5);
    }
    for (columns, why) in [
        (CsvColumns::Only, "it has 5 columns (`x`, `i`, `u`, `b`, `w`): choose one"),
        (CsvColumns::One("y".into()), "there is no column `y` (there are `x`, `i`"),
        (CsvColumns::Several(vec!["x".into(), "w".into()]), "the column `w` is of words"),
    ] {
        let said = read(&path, columns).unwrap_err();
        assert!(said.contains(why), "{why}: {said}");
    }
    let date = Column { converted: ConvertedType::DATE, ..column("t", Values::Short(vec![1])) };
    write(&path, &[date], 5, Compression::UNCOMPRESSED);
    let said = read(&path, CsvColumns::Only).unwrap_err();
    assert!(said.contains("the column `t` is of type INT32 DATE"), "{said}");
}

/// Whatever is cut off or changed, reading ends with a message or with outcomes, and without a panic.
#[test]
fn damaged_files_come_to_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let numbers = (0..200).map(|i| Some(f64::from(i % 17) / 8.0)).collect();
    write(&path, &[column("x", Values::Doubles(numbers))], 64, Compression::SNAPPY);
    let whole = std::fs::read(&path).unwrap();
    for cut in [0, 3, 4, 11, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
        std::fs::write(&path, &whole[..cut]).unwrap();
        assert!(read(&path, CsvColumns::Only).is_err(), "{cut}");
    }
    for place in 0..whole.len() {
        for value in [0, 0x7f, 0xff] {
            let mut damaged = whole.clone();
            damaged[place] = value;
            std::fs::write(&path, damaged).unwrap();
            let _ = read(&path, CsvColumns::Only);
        }
    }
}

fn finding(folder: &Path, epsilon: f64) -> Finding {
    let text = format!(
        "[[audit]]\nname = \"recorded\"\nrelation = {{ words = \"one person more\" }}\n\
         recorded = {{ d = \"d.parquet\", d_prime = \"e.parquet\", column = \"x\" }}\n\
         claim = {{ epsilon = {epsilon} }}\n"
    );
    let path = folder.join("spec.toml");
    std::fs::write(&path, text).unwrap();
    let loaded = spec::load(&[path], &Overrides { seed: Some(3), ..Overrides::default() }).unwrap();
    loaded[0].audit.run(Control::unattended()).unwrap().finding
}

/// The answers 0 and 1 with Laplace noise of scale 1, rounded since the low bits of a sum of doubles
/// tell its terms.
#[test]
fn the_verdict_is_that_of_the_mechanism_that_was_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Stream::seed_from_u64(1);
    for (name, answer) in [("d", 0.0), ("e", 1.0)] {
        let mut run = || ((answer + laplace(&mut random, 1.0)) * 1_048_576.0).round() / 1_048_576.0;
        let columns = [
            column("x", Values::Doubles((0..40_000).map(|_| Some(run())).collect())),
            column("i", Values::Integers((0..40_000).collect())),
        ];
        let path = folder.path().join(format!("{name}.parquet"));
        write(&path, &columns, 15_000, Compression::SNAPPY);
    }
    let right = finding(folder.path(), 1.0);
    assert_eq!(right.verdict, Verdict::NotRefuted, "{}", right.reason());
    assert!(right.epsilon_lower > 0.9, "{}", right.epsilon_lower);
    assert_eq!(finding(folder.path(), 0.5).verdict, Verdict::Violated);
}

#[cfg(feature = "cli")]
#[test]
fn scores_with_labels_are_read_by_attacks_and_canaries() {
    use crate::support::cli::{plaudit, stderr, stdout};
    let folder = tempfile::tempdir().unwrap();
    let labels: Vec<i64> = (0..1000).map(|row| row % 2).collect();
    let scores: Vec<f64> =
        (0..1000).map(|row| f64::from(row * 37 % 1000 + row % 2 * 400)).collect();
    let rows = scores.iter().zip(&labels).map(|(score, label)| format!("{score},{label}\n"));
    std::fs::write(
        folder.path().join("t.csv"),
        "loss,who\n".to_owned() + &rows.collect::<String>(),
    )
    .unwrap();
    let scores = scores.into_iter().map(Some).collect();
    let columns =
        [column("loss", Values::Doubles(scores)), column("who", Values::Integers(labels))];
    let zstd = Compression::ZSTD(ZstdLevel::default());
    write(&folder.path().join("t.parquet"), &columns, 300, zstd);
    let run = |words: &[&str]| plaudit().current_dir(folder.path()).args(words).output().unwrap();
    for command in [
        &["attack", "membership", "FILE", "--label", "who", "--column", "loss"][..],
        &["canaries", "FILE", "--in-column", "who", "--score-column", "loss"],
    ] {
        let of = |file: &str| {
            let words: Vec<&str> =
                command.iter().map(|word| if *word == "FILE" { file } else { word }).collect();
            let output = run(&words);
            assert!(output.status.success(), "{}", stderr(&output));
            stdout(&output).replace(file, "FILE")
        };
        assert_eq!(of("t.parquet"), of("t.csv"));
    }
    let ask = |label: &str, column: &str| {
        let words = ["attack", "membership", "t.parquet", "--label", label, "--column", column];
        stderr(&run(&words))
    };
    let told = ask("no", "loss");
    assert!(
        told.contains("no column `no` (there are `loss`, `who`): name it with --label"),
        "{told}"
    );
    let told = ask("loss", "who");
    assert!(told.contains("t.parquet:2: `437` does not state whether this is a member"), "{told}");
}
