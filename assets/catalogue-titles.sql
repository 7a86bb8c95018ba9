-- What a search tells of a folder without a list of it. Folders of before are listed until they are filled or changed again.
alter table folders
  -- What the metadata says of the folder as a whole, as JSON; empty where that is too long.
  add column titles text,
  -- The folded labels of its images and chapters.
  add column inside text collate "C" not null default '',
  -- Whether the metadata gives images labels or an order, and the first image in that order.
  add column has_pages boolean not null default false,
  add column first_page text collate "C",
  -- The number of images when the metadata was read, which it may name.
  add column described_images integer;
