//! The MCP server as clients meet it: a real process, real lines.

mod client;
mod day;
mod fence;
mod hostile;
mod http;
mod offer;
mod parallel;
mod places;
mod versions;
