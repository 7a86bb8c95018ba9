-- What was read of objects: their headers, and the formats of texts. The table of before was never used.
drop table facts;
create table facts (
  folder integer not null,
  name text collate "C" not null,
  -- What is told of the object, such as `header`.
  part text collate "C" not null,
  -- A digest of the version of the object and of the code that read it.
  version uuid not null,
  fact json not null,
  primary key (folder, name, part)
);

-- Facts go with their objects.
create function forget_facts() returns trigger language plpgsql as $$
begin
  delete from facts f using gone g where f.folder = g.folder and f.name = g.name;
  return null;
end $$;
create trigger objects_gone after delete on objects referencing old table as gone
  for each statement execute function forget_facts();
