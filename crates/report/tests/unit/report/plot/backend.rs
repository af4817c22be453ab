use super::*;
use plotters::prelude::*;

fn drawn(draw: impl FnOnce(&DrawingArea<Svg, plotters::coord::Shift>)) -> String {
    let svg = std::rc::Rc::new(std::cell::RefCell::new(Svg::default()));
    draw(&DrawingArea::from(&svg));
    svg.borrow().elements()
}

#[test]
fn paths_of_a_style_that_follow_one_another_are_one() {
    let elements = drawn(|area| {
        for y in [10, 20] {
            area.draw(&PathElement::new([(0, y), (9, y)], Style::Claim)).unwrap();
        }
        area.draw(&Rectangle::new([(1, 2), (3, 4)], Style::BarD)).unwrap();
        area.draw(&PathElement::new([(0, 30), (9, 32), (20, 99)], Style::Claim)).unwrap();
    });
    assert_eq!(
        elements,
        "<path class=\"claim\" d=\"M0 10H9M0 20H9\"/><path class=\"bd\" d=\"M1 2H3V4H1z\"/>\
         <path class=\"claim\" d=\"M0 30L9 32 20 99\"/>"
    );
}

#[test]
fn every_style_has_its_class_and_nothing_transparent_is_drawn() {
    assert_eq!(CLASSES.len(), Style::Exact as usize + 1);
    for (style, expected) in [(Style::Text, ""), (Style::Grid, "grid"), (Style::Exact, "exact")] {
        assert_eq!(class(style.to_backend_color()), Some(expected));
    }
    let nothing = PathElement::new([(0, 0), (9, 9)], TRANSPARENT);
    assert_eq!(drawn(|area| area.draw(&nothing).unwrap()), "");
}

#[test]
fn hostile_text_is_escaped() {
    let text = Text::new("</text><script>&\u{202e}\u{0}", (5, 5), ("", TEXT));
    assert_eq!(
        drawn(|area| area.draw(&text).unwrap()),
        "<text x=\"5\" y=\"25\">&lt;/text&gt;&lt;script&gt;&amp;[U+202E][U+0000]</text>"
    );
}

#[test]
fn lines_lose_the_points_that_nobody_would_miss() {
    let line: Vec<_> = (0..600).map(|x| (x, x / 2)).collect();
    let elements = drawn(|area| area.draw(&PathElement::new(line, Style::Claim)).unwrap());
    assert_eq!(elements, "<path class=\"claim\" d=\"M0 0L599 299\"/>");
}

#[test]
fn nothing_leaves_the_sheet_and_what_has_no_extent_is_left_out() {
    let far = [(i32::MIN, i32::MIN), (i32::MAX, 7)];
    let elements = drawn(|area| {
        let mut svg = Svg::default();
        svg.draw_path(far, &Style::Axis.to_backend_color()).unwrap();
        svg.draw_pixel((i32::MAX, 3), Style::Axis.to_backend_color()).unwrap();
        assert_eq!(svg.elements(), "<path class=\"axis\" d=\"M0 0L640 7M640 3H640V4H640z\"/>");
        for points in [vec![], vec![(3, 3)], vec![(3, 3); 9]] {
            area.draw(&PathElement::new(points.clone(), Style::Axis)).unwrap();
            area.draw(&Polygon::new(points, Style::Axis)).unwrap();
        }
    });
    assert_eq!(elements, "");
}
