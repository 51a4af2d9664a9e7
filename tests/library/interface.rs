//! Compares the exports of `lib.rs` (without bodies, docs and private fields) with `interface.txt`, which `BLESS=1
//! cargo test --test library interface` rewrites.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use syn::{Attribute, Fields, ImplItem, Item, TraitItem, UseTree, Visibility};

use crate::boards::path;

/// The maximum number of public types, so that there are few to learn.
const MAX_TYPES: usize = 60;

fn modules(folder: &Path, parent: &str, all: &mut BTreeMap<String, Vec<Item>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let module = format!("{parent}{name}");
        if path.is_dir() {
            modules(&path, &format!("{module}::"), all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
            all.insert(module, file.items);
        }
    }
}

fn exports(tree: &UseTree, module: &str, all: &mut Vec<(String, String)>) {
    match tree {
        UseTree::Path(path) => {
            let inner = if module.is_empty() {
                path.ident.to_string()
            } else {
                format!("{module}::{}", path.ident)
            };
            exports(&path.tree, &inner, all);
        }
        UseTree::Name(name) => all.push((module.to_owned(), name.ident.to_string())),
        UseTree::Group(group) => group
            .items
            .iter()
            .for_each(|tree| exports(tree, module, all)),
        // A module with the interface of another package.
        UseTree::Rename(_) => {}
        UseTree::Glob(_) => panic!("the interface names what it exports"),
    }
}

const fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("cfg"))
}

fn name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// Drops the parts of an item that users can't see.
fn outline(mut item: Item) -> Item {
    match &mut item {
        Item::Struct(item) => {
            item.attrs.clear();
            let hide = |fields: &mut syn::punctuated::Punctuated<syn::Field, syn::Token![,]>| {
                let shown = std::mem::take(fields).into_iter();
                shown
                    .filter(|field| is_public(&field.vis))
                    .map(|field| syn::Field {
                        attrs: Vec::new(),
                        ..field
                    })
                    .collect()
            };
            match &mut item.fields {
                Fields::Named(fields) => fields.named = hide(&mut fields.named),
                Fields::Unnamed(fields) => fields.unnamed = hide(&mut fields.unnamed),
                Fields::Unit => {}
            }
        }
        Item::Enum(item) => {
            item.attrs.clear();
            for variant in &mut item.variants {
                variant.attrs.clear();
                variant
                    .fields
                    .iter_mut()
                    .for_each(|field| field.attrs.clear());
            }
        }
        Item::Trait(item) => {
            item.attrs.clear();
            for item in &mut item.items {
                match item {
                    TraitItem::Fn(item) => (item.attrs, item.default) = (Vec::new(), None),
                    TraitItem::Const(item) => (item.attrs, item.default) = (Vec::new(), None),
                    TraitItem::Type(item) => item.attrs.clear(),
                    _ => {}
                }
            }
        }
        Item::Type(item) => item.attrs.clear(),
        Item::Const(item) => {
            item.attrs.clear();
            *item.expr = syn::parse_quote!(..);
        }
        Item::Fn(item) => {
            item.attrs.clear();
            item.block.stmts.clear();
        }
        _ => {}
    }
    item
}

fn methods(items: &[Item], wanted: &str) -> Vec<Item> {
    let mut blocks = Vec::new();
    for item in items {
        let Item::Impl(block) = item else { continue };
        let is_its = matches!(&*block.self_ty, syn::Type::Path(path)
            if path.path.segments.last().is_some_and(|last| last.ident == wanted));
        if block.trait_.is_some() || !is_its || is_for_tests(&block.attrs) {
            continue;
        }
        let mut block = block.clone();
        block.attrs.clear();
        block.items.retain_mut(|item| match item {
            ImplItem::Fn(item) => {
                let is_shown = is_public(&item.vis) && !is_for_tests(&item.attrs);
                item.attrs.clear();
                item.block.stmts.clear();
                is_shown
            }
            ImplItem::Const(item) => {
                item.attrs.clear();
                item.expr = syn::parse_quote!(..);
                is_public(&item.vis)
            }
            _ => false,
        });
        if !block.items.is_empty() {
            blocks.push(Item::Impl(block));
        }
    }
    blocks
}

#[test]
fn the_public_interface_matches_the_list() {
    let mut all = BTreeMap::new();
    modules(&path("src"), "", &mut all);
    for package in fs::read_dir(path("crates")).unwrap() {
        let folder = package.unwrap().path();
        let name = format!("getaway_{}", folder.file_name().unwrap().display());
        modules(&folder.join("src"), &format!("{name}::"), &mut all);
        let root = all.remove(&format!("{name}::lib")).unwrap();
        all.insert(name, root);
    }
    let mut names = Vec::new();
    for item in &all["lib"] {
        match item {
            Item::Use(item) if is_public(&item.vis) => exports(&item.tree, "", &mut names),
            Item::Mod(item) if is_public(&item.vis) => {
                let allowed = ["cli", "importers", "pictures"].map(|name| item.ident == name);
                assert!(allowed.contains(&true), "{}: a public module", item.ident);
            }
            _ => {}
        }
    }
    names.sort_by(|(_, a), (_, b)| a.cmp(b));
    let (mut types, mut items) = (0, Vec::new());
    for (module, wanted) in names {
        let found = all[&module]
            .iter()
            .find(|item| name(item).as_ref() == Some(&wanted));
        let found = found.unwrap_or_else(|| panic!("{module} has no {wanted}"));
        types += usize::from(!matches!(
            found,
            Item::Const(_) | Item::Fn(_) | Item::Type(_)
        ));
        items.push(outline(found.clone()));
        let inside = |file: &&String| **file == module || file.starts_with(&format!("{module}::"));
        for file in all.keys().filter(inside) {
            items.extend(methods(&all[file], &wanted));
        }
    }
    let interface = prettyplease::unparse(&syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items,
    });
    assert!(
        types <= MAX_TYPES,
        "{types} public types, {MAX_TYPES} at most"
    );
    let golden = path("tests/library/interface.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(golden, interface).unwrap();
    } else {
        let agreed = fs::read_to_string(golden).unwrap();
        assert!(
            interface == agreed,
            "the public interface has changed: if it is meant to, `BLESS=1` writes it anew\n{interface}"
        );
    }
}
