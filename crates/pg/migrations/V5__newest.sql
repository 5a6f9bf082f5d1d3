-- A question may ask for the newest memories, and names the files that could not be read. Without these both read
-- every memory in reach. The first is by tenant, as an order over several stores can't be taken from one store each.
create index memory_newest on memory (tenant, instant desc, path) where indexed = revision;
create index memory_why on memory (tenant, store, path) where why is not null;
