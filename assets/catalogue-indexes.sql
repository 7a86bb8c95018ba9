-- The indexes of objects, which are made once the first filling is in the table.
create unique index if not exists objects_key on objects (folder, name);
create index if not exists objects_names on objects (coalesce(folded, name)) where kind = 1;
-- Words are not searched inside of names that are identifiers or digests, which are found by their beginnings.
create index if not exists objects_words on objects using gin (coalesce(folded, name) gin_trgm_ops)
  where kind = 1 and name !~ '^[0-9A-Fa-f]{8}(-?[0-9A-Fa-f]{4}){3}';
-- Files with the metadata of folders.
create index if not exists objects_metadata on objects (folder) where name in ('metadata.yaml', 'metadata.yml', 'metadata.csv');
create index if not exists folders_words on folders using gin (words gin_trgm_ops);
