//! Compares the public items of each package (without bodies, docs and private fields) with the lists in `interface/`, which
//! `BLESS=1 cargo test --test library interface` rewrites.

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

fn methods(items: &[Item], expected: &str) -> Vec<Item> {
    let mut blocks = Vec::new();
    for item in items {
        let Item::Impl(block) = item else { continue };
        let is_its = matches!(&*block.self_ty, syn::Type::Path(path)
            if path.path.segments.last().is_some_and(|last| last.ident == expected));
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

/// The parsed files of all packages by module, such as `getaway_board::puzzle::text`. Those of the root have no package name.
fn all_modules() -> BTreeMap<String, Vec<Item>> {
    let mut all = BTreeMap::new();
    modules(&path("src"), "", &mut all);
    for package in packages() {
        let name = format!("getaway_{package}");
        let folder = path("crates").join(package).join("src");
        modules(&folder, &format!("{name}::"), &mut all);
        let root = all.remove(&format!("{name}::lib")).unwrap();
        all.insert(name, root);
    }
    all
}

fn packages() -> Vec<String> {
    let packages = fs::read_dir(path("crates")).unwrap();
    let name = |package: std::io::Result<fs::DirEntry>| package.unwrap().file_name();
    let mut names: Vec<_> = packages
        .map(|package| name(package).into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Returns an item as users see it, with its public methods.
fn interface_of(all: &BTreeMap<String, Vec<Item>>, module: &str, expected: &str) -> Vec<Item> {
    let inside = |file: &&String| *file == module || file.starts_with(&format!("{module}::"));
    let is_it = |item: &&Item| name(item).as_deref() == Some(expected);
    let mut files = all.keys().filter(inside);
    let found = files.find_map(|file| all[file].iter().find(is_it));
    let found = found.unwrap_or_else(|| panic!("{module} has no {expected}"));
    let mut items = vec![outline(found.clone())];
    for file in all.keys().filter(inside) {
        items.extend(methods(&all[file], expected));
    }
    items
}

/// Appends the public items of a module and of the public modules in it.
fn collect(all: &BTreeMap<String, Vec<Item>>, module: &str, text: &mut String) {
    let (mut names, mut inner) = (Vec::new(), Vec::new());
    for item in &all[module] {
        match item {
            Item::Use(item) if is_public(&item.vis) => exports(&item.tree, "", &mut names),
            Item::Mod(item) if is_public(&item.vis) && !is_for_tests(&item.attrs) => {
                inner.push(format!("{module}::{}", item.ident));
            }
            item => names.extend(visible_name(item).map(|name| (module.to_owned(), name))),
        }
    }
    for (place, _) in &mut names {
        let within = format!("{module}::{}", place.trim_start_matches("crate::"));
        if all.contains_key(&within) {
            *place = within;
        }
    }
    names.sort_by(|(_, a), (_, b)| a.cmp(b));
    let known = names.iter().filter(|(place, _)| all.contains_key(place));
    let items: Vec<_> = known
        .flat_map(|(place, expected)| interface_of(all, place, expected))
        .collect();
    if !items.is_empty() {
        *text += &format!("// {module}\n{}\n", unparse(items));
    }
    inner.sort();
    for module in inner {
        collect(all, &module, text);
    }
}

fn visible_name(item: &Item) -> Option<String> {
    let visibility = match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        _ => return None,
    };
    is_public(visibility).then(|| name(item)).flatten()
}

fn unparse(items: Vec<Item>) -> String {
    prettyplease::unparse(&syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items,
    })
}

fn compare_with_golden(file: &str, interface: &str) {
    let golden = path("tests/library/interface").join(file);
    if std::env::var_os("BLESS").is_some() {
        fs::write(golden, interface).unwrap();
        return;
    }
    let agreed = fs::read_to_string(golden).unwrap_or_default();
    assert!(
        interface == agreed,
        "the interface in {file} has changed: if it is meant to, `BLESS=1` writes it anew\n{interface}"
    );
}

#[test]
fn the_interface_of_each_package_matches_its_list() {
    let all = all_modules();
    for package in packages() {
        let mut text = String::new();
        collect(&all, &format!("getaway_{package}"), &mut text);
        compare_with_golden(&format!("{package}.txt"), &text);
    }
    compare_with_golden("getaway.txt", &front_door(&all));
}

/// Returns the exports of `src/lib.rs`, of which there are few, so that they can be learned.
fn front_door(all: &BTreeMap<String, Vec<Item>>) -> String {
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
    let items: Vec<_> = names
        .iter()
        .flat_map(|(module, expected)| interface_of(all, module, expected))
        .collect();
    let is_type = |item: &&Item| matches!(item, Item::Struct(_) | Item::Enum(_) | Item::Trait(_));
    let types = items.iter().filter(is_type).count();
    assert!(
        types <= MAX_TYPES,
        "{types} public types, {MAX_TYPES} at most"
    );
    unparse(items)
}
