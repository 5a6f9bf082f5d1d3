//! What can be typed about the looks of an answer.

use clap::{Arg, ValueEnum, builder::EnumValueParser};
use oldhand_desk::looks::{Choice, Form};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum FormArg {
    #[default]
    Auto,
    People,
    Agent,
}

impl From<FormArg> for Form {
    fn from(arg: FormArg) -> Self {
        match arg {
            FormArg::Auto => Self::Auto,
            FormArg::People => Self::People,
            FormArg::Agent => Self::Agent,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ColourArg {
    #[default]
    Auto,
    Always,
    Never,
}

impl From<ColourArg> for Choice {
    fn from(arg: ColourArg) -> Self {
        match arg {
            ColourArg::Auto => Self::Auto,
            ColourArg::Always => Self::Always,
            ColourArg::Never => Self::Never,
        }
    }
}

pub(crate) const FORM: &str = "form";

/// `--format`. `export` has a flag of this name for something else.
pub(crate) fn form_arg() -> Arg {
    Arg::new(FORM)
        .long("format")
        .value_name("FORM")
        .value_parser(EnumValueParser::<FormArg>::new())
        .global(true)
        .help_heading(super::EVERYWHERE)
        .help("Lay the answer out for people, or print it as agents read it [default: auto]")
}
