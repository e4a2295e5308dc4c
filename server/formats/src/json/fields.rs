//! Values of JSON with their places, and the fields of objects.

use std::borrow::Cow;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;

use crate::place::Place;
use crate::reader::Reader;

/// What a value is read for.
pub(super) struct Context<'r, 'a> {
    pub(super) reader: &'r mut Reader<'a>,
    /// Where the JSON starts in the text.
    pub(super) base: usize,
    /// The place of everything in it, where it stands in a string of the text.
    pub(super) fixed: Option<Place>,
}

/// A value.
#[derive(Clone, Copy)]
pub(super) struct Node<'v, 'j> {
    value: &'v Value<'j>,
}

/// An object.
#[derive(Clone, Copy)]
pub(super) struct Fields<'v, 'j> {
    object: &'v Object<'j>,
    pub(super) node: Node<'v, 'j>,
}

impl Context<'_, '_> {
    pub(super) fn place(&self, node: Node<'_, '_>) -> Place {
        let range = node.value.range();
        self.fixed.unwrap_or(Place::new(self.base + range.start, self.base + range.end))
    }

    pub(super) fn wrong(&mut self, node: Node<'_, '_>, message: impl Into<String>) {
        let place = self.place(node);
        self.reader.wrong(place, message);
    }

    /// The string under one of `names`; `None` where it is missing. Another type is a problem.
    pub(super) fn text<'v>(&mut self, fields: Fields<'v, '_>, names: &[&str]) -> Option<&'v str> {
        self.typed(fields, names, "a string", |it| it.text())
    }

    pub(super) fn flag(&mut self, fields: Fields<'_, '_>, names: &[&str]) -> Option<bool> {
        self.typed(fields, names, "true or false", |it| it.value.as_boolean_lit().map(|it| it.value))
    }

    pub(super) fn number(&mut self, fields: Fields<'_, '_>, names: &[&str]) -> Option<usize> {
        self.typed(fields, names, "a whole number from 0", |it| it.value.as_number_lit()?.value.parse().ok())
    }

    fn typed<'v, 'j, T>(
        &mut self,
        fields: Fields<'v, 'j>,
        names: &[&str],
        expected: &str,
        read: impl Fn(Node<'v, 'j>) -> Option<T>,
    ) -> Option<T> {
        let (name, node) = fields.get(names)?;
        let found = read(node);
        if found.is_none() {
            self.wrong(node, format!("{name}: expected {expected}"));
        }
        found
    }

    /// The string that has to be there.
    pub(super) fn needed<'v>(&mut self, fields: Fields<'v, '_>, names: &[&str]) -> Option<&'v str> {
        if fields.get(names).is_none() {
            self.wrong(fields.node, format!("expected `{}`", names[0]));
        }
        self.text(fields, names)
    }

    /// Each name once: of two values under one name, nobody can say which is meant.
    pub(super) fn are_unique(&mut self, fields: Fields<'_, '_>) -> bool {
        let mut names: Vec<&str> = fields.object.properties.iter().map(|it| it.name.as_str()).collect();
        names.sort_unstable();
        let twice = names.windows(2).find(|it| it[0] == it[1]).map(|it| it[0].to_owned());
        if let Some(name) = &twice {
            self.wrong(fields.node, format!("expected `{name}` once"));
        }
        twice.is_none()
    }
}

impl<'v, 'j> Node<'v, 'j> {
    pub(super) fn of(value: &'v Value<'j>) -> Self {
        Self { value }
    }

    pub(super) fn fields(self) -> Option<Fields<'v, 'j>> {
        self.value.as_object().map(|object| Fields { object, node: self })
    }

    pub(super) fn elements(self) -> Option<impl Iterator<Item = Self>> {
        self.value.as_array().map(|it| it.elements.iter().map(Node::of))
    }

    pub(super) fn text(self) -> Option<&'v str> {
        self.value.as_string_lit().map(|it| match &it.value {
            Cow::Borrowed(text) => *text,
            Cow::Owned(text) => text.as_str(),
        })
    }

    pub(super) fn is_null(self) -> bool {
        self.value.as_null_keyword().is_some()
    }
}

impl<'v, 'j> Fields<'v, 'j> {
    /// The first field that has one of `names`, and its name. Null is as good as nothing.
    pub(super) fn get(self, names: &[&str]) -> Option<(&'v str, Node<'v, 'j>)> {
        let named = self.object.properties.iter().filter(|it| names.contains(&it.name.as_str()));
        named.map(|it| (it.name.as_str(), Node::of(&it.value))).find(|it| !it.1.is_null())
    }

    pub(super) fn has(self, names: &[&str]) -> bool {
        self.get(names).is_some()
    }

    pub(super) fn string(self, names: &[&str]) -> Option<&'v str> {
        self.get(names).and_then(|it| it.1.text())
    }

    pub(super) fn list(self, name: &str) -> Option<Vec<Node<'v, 'j>>> {
        self.get(&[name]).and_then(|it| it.1.elements()).map(Iterator::collect)
    }
}
