-- The tables of the catalogue. Names are compared by their bytes.
create extension if not exists pg_trgm;

-- What is in the catalogue as a whole: buckets, or parts of them below a prefix.
create table areas (
  id integer generated always as identity primary key,
  -- The bucket, and behind a slash the prefix without its slash at the end.
  path text collate "C" not null unique,
  -- The time of which the objects are, once they are all in it.
  filled_as_of timestamptz,
  filled_at timestamptz,
  objects bigint
);

create table folders (
  id integer generated always as identity primary key,
  -- As the path of an area.
  path text collate "C" not null,
  parent integer,
  images integer not null default 0,
  folders integer not null default 0,
  -- When the latest of the images was written, in ms since 1970.
  changed bigint not null default 0,
  -- The name, and what the metadata says, folded; without metadata the name alone.
  words text collate "C" not null,
  -- The name and the ETag of the metadata file that the words are from.
  described text
);
create unique index folders_path on folders (path);
-- The order of a walk: a slash precedes all characters.
create index folders_walk on folders (replace(path, '/', E'\x01') collate "C");
create index folders_parent on folders (parent, path);

-- Objects by their names in a folder. The kind is 1 for images and 0 for all others.
create table objects (
  modified bigint not null,
  size bigint not null,
  folder integer not null,
  kind smallint not null,
  name text collate "C" not null,
  -- The folded name, where it is another one.
  folded text collate "C",
  -- The bytes of a digest, with its number of parts where it has one; any other tag as text.
  etag bytea not null
);

-- Of folders with very many images the number in each block of names, which begins with a name.
create table blocks (
  folder integer not null,
  first text collate "C" not null,
  images integer not null,
  primary key (folder, first)
);

-- The latest change that was told of each key: it decides between changes that come out of order, and fillings of before.
create table changes (
  path text collate "C" primary key,
  at bigint not null,
  sequencer text collate "C",
  removed boolean not null,
  -- Grows with each change.
  number bigint not null
);
create sequence change_numbers;
create index changes_number on changes (number);

-- What was read of headers, by the path and the version of a file.
create table facts (
  file uuid primary key,
  fingerprint text not null,
  readers text not null,
  facts json not null
);

-- A filling that is under way. Both tables are lost together where the database crashes.
create unlogged table fillings (
  area integer primary key,
  source text not null,
  as_of timestamptz not null,
  position text,
  objects bigint not null default 0
);

-- Adds to the number of images of a folder, and of the block of a name in it.
create function count_image(in_folder integer, of_name text, difference integer) returns void language sql as $$
  update folders set images = images + difference where id = in_folder;
  update blocks set images = images + difference where folder = in_folder and first =
    (select first from blocks where folder = in_folder and first <= of_name collate "C" order by first desc limit 1);
$$;

-- Deletes a folder in which nothing is left, and then those around it for which the same is true.
create function drop_if_empty(dropped integer) returns void language plpgsql as $$
declare
  around integer;
begin
  while dropped is not null loop
    delete from folders f where id = dropped and f.folders = 0 and parent is not null
      and not exists (select from objects where folder = dropped) returning parent into around;
    exit when not found;
    delete from blocks where folder = dropped;
    update folders set folders = folders - 1 where id = around;
    dropped := around;
  end loop;
end $$;

-- Takes on a change of an object, unless a later one of the same key was told before; gives whether it did.
create function change_object(
  of_path text, in_folder integer, of_name text, of_kind smallint, as_folded text,
  new_size bigint, new_etag bytea, new_modified bigint, told_at bigint, told_sequencer text
) returns boolean language plpgsql as $$
declare
  known objects;
begin
  insert into changes as c values
    (of_path, told_at, told_sequencer, new_etag is null, nextval('change_numbers'))
  on conflict (path) do update set at = excluded.at, sequencer = excluded.sequencer, removed = excluded.removed,
    number = excluded.number
  where case when c.sequencer is not null and excluded.sequencer is not null
    then excluded.sequencer > c.sequencer else excluded.at >= c.at end;
  if not found then return false; end if;
  select * into known from objects where folder = in_folder and name = of_name;
  if new_etag is null then
    if known.name is null then return true; end if;
    delete from objects where folder = in_folder and name = of_name;
    if of_kind = 1 then perform count_image(in_folder, of_name, -1); end if;
  elsif known.name is null then
    insert into objects values (new_modified, new_size, in_folder, of_kind, of_name, as_folded, new_etag);
    if of_kind = 1 then perform count_image(in_folder, of_name, 1); end if;
  else
    update objects set modified = new_modified, size = new_size, etag = new_etag where folder = in_folder and name = of_name;
  end if;
  if of_kind = 1 and new_etag is not null then
    update folders set changed = greatest(changed, new_modified) where id = in_folder;
  end if;
  return true;
end $$;
