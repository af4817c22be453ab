use super::super::super::svg::PlotKind;
use super::super::{CLASSES, Svg};
use super::*;

#[test]
fn every_class_that_draws_has_a_look() {
    let looks = looks();
    for class in CLASSES.iter().filter(|class| **class != "note") {
        let look = looks.get(class).unwrap_or_else(|| panic!("{class}"));
        assert!(look.stroke.is_some() || look.fill.is_some(), "{class}: {look:?}");
    }
    assert_eq!(looks["claim"].stroke, Some((0x5b, 0x67, 0x73)));
    assert_eq!((looks["claim"].width, &looks["claim"].dashes[..]), (4, &[14.0, 8.0][..]));
    assert_eq!((looks["bd"].fill, looks["bd"].opacity), (Some((0, 0x72, 0xb2)), 0.6));
}

#[test]
fn dashes_go_around_corners() {
    let unit = SCALE * FINER;
    let corner = [(0, 0), (10 * unit, 0), (10 * unit, 10 * unit)];
    let [first, second] = &dashed(&corner, &[8.0, 4.0])[..] else { panic!() };
    assert_eq!(first, &[(0, 0), (8 * unit, 0)]);
    assert_eq!(second, &[(10 * unit, 2 * unit), (10 * unit, 10 * unit)]);
}

#[test]
fn a_plot_is_drawn_where_it_is_on_the_sheet() {
    let mut drawn = Svg::default();
    drawn.shapes.push(Outline {
        class: "mark",
        points: vec![(100, 10), (200, 10), (200, 30), (100, 30)],
        closed: true,
    });
    let text = "ε ≥ 1, D′".to_owned();
    drawn.texts.push(Label {
        class: "",
        at: (320, 60),
        down: 0,
        anchor: "middle",
        turned: 0,
        text,
    });
    let plot = Plot::new(PlotKind::Profile, "it", "shows".into(), 100, drawn);
    let file = plot.png();
    let decoder = png::Decoder::new(std::io::Cursor::new(&file));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (1280, 200));
    let at = |x: usize, y: usize| &pixels[3 * (y * 1280 + x)..][..3];
    assert_eq!(at(300, 40), [0xc6, 0x28, 0x3a]);
    assert_eq!(at(198, 40), [255; 3]);
    // Some of the letters are visible, and only in their line.
    let dark = |rows: std::ops::Range<usize>| {
        rows.flat_map(|y| (500..780).map(move |x| (x, y)))
            .filter(|(x, y)| at(*x, *y)[0] < 128)
            .count()
    };
    assert!(dark(100..140) > 200, "{}", dark(100..140));
    assert_eq!(dark(150..200), 0);
}
