-- A question may ask for the newest memories, and names the files that could not be read. Without these it reads
-- every memory in reach for both.
create index memory_newest on memory (tenant, store, instant desc, path) where indexed = revision;
create index memory_why on memory (tenant, store, path) where why is not null;
