// Every word on the sea chart.

export const TITLE = {
  over: 'A NEW & EXACT CHART OF THE',
  main: 'GULF OF QUIRE',
  lines: [
    'with the Isles, Shoals and Soundings thereof,',
    'as far as anyone has been,',
    'drawn from the mast and corrected from the shore.',
  ],
  foot: 'PORT VELLUM · at the Sign of the Lectern',
};

export const TOWNS = [
  'Port Vellum',
  'Octavo',
  'Quarto',
  'Rubric',
  'Colophon',
  'Deckle',
  'Saint Serif',
  'Errata',
  'Folio',
  'Gatherings',
  'Bookend',
  'Duodecimo',
];

export const COAST =
  'Gutter Head|Paste Bay|Cape Index|Thread Cove|Old Binding|Foxing Sands|Spine Rock|Widow’s Point|Orphan Cove|Inkhorn|Quill Haven|Blotter’s Hole|Pumice Strand|Margin Cape|Clasp Bay|Headband Cliff|Long Leaf|Short Leaf|Fly Leaf|Ampersand|Asterisk Rocks|Comma Creek|Full Stop|Semi Colon|Query Point|Dagger Ness|Double Dagger|Ligature|Kern Mouth|Ascender|Descender|Baseline Beach|Counter Cove|Bowl Bay|Tittle Isle|Minim|Stet|Ibid|Op. Cit.|Sic Point|Passim|Verso Bay|Recto Bay|Catchword|Signature|Gloss|Lemma Sands|Palimpsest|Pounce Bay|Gall Point|Oak Gall|Sizing Vat|Laid Lines|Watermark Bay|Chain Line|Pulp Mouth|Rag Haven|Felt Strand|Couching Cove|Hanger’s Loft|Tympan|Frisket|Platen Rock|Bodkin|Galley Haven|Forme Head|Chase Bay|Quoin|Furniture Bay|Reglet|Slur Point|Offset|Bleed Bay|Trim Head|Nipping Press|Sewing Frame|Kettle Stitch|Tail Cap|Doublure|Fore Edge|Gilt Edge|Plain Edge|Wormhole|Silverfish Cove|Paper Knife|Reading Room|Hush Point|Late Return|Lost Card|Shelf Mark|Press Mark|Folding Stick|Bone Folder|Marbling Bay|End Paper|Half Title|Frontispiece|Errata Slip|Tail Piece|Finis'.split(
    '|',
  );

/** Large lettering: words, position, size, letter spacing, turn. */
export const REGIONS = [
  { words: 'THE GULF OF QUIRE', x: 2060, y: 1165, size: 74, spacing: 34, turn: -4, italic: true },
  { words: 'RUBRICATED SEA', x: 2360, y: 2620, size: 46, spacing: 16, turn: 0, italic: true },
  { words: 'MARGINALIA', x: 800, y: 640, size: 80, spacing: 34, turn: -6 },
  { words: 'SOUND OF SERIFS', x: 2280, y: 440, size: 52, spacing: 22, turn: 3, italic: true },
  { words: 'UPPER CASE', x: 3480, y: 790, size: 42, spacing: 14, turn: -3 },
  { words: 'LOWER CASE', x: 560, y: 2000, size: 54, spacing: 24, turn: -4 },
];

/** Small remarks for those who look closely. */
export const NOTES = [
  'here the fog is thick until noon',
  'a good whale was seen here',
  'fresh water, but slow',
  'no bottom with 90 fathom',
  'the cook’s hat was lost here',
  'strong tide, weak tea',
  'rocks, or sheep',
  'quiet anchorage',
  'here we waited nine days for wind',
  'seals, who stare',
  'the mermaid of this place is a log',
  'good holding ground',
  'bells heard at night',
  'the current turns like a page',
  'turn back if you can read this',
  'a rock the size of a cow',
  'herring',
  'more herring',
];

export const BOTTOMS = ['sand', 'mud', 'shells', 'gravel', 'rock', 'weed', 'blue clay', 'ooze'];
