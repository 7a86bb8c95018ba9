// The words of the herbal. Asterisks set italics.

export const TITLE = {
  head: 'A LITTLE',
  main: 'HERBAL',
  lines: ['of PLANTS that grow Nowhere Else,', 'described from the living Leaf', 'and drawn with Care.'],
  imprint: ['PORT VELLUM', 'Printed at the Sign of the Lectern,', 'in the Year of the Long Summer'],
};

export const PREFACE = {
  head: 'TO THE READER',
  paragraphs: [
    'This is a small book about eight plants, and you will find none of them in your garden. I have looked for them in every other herbal, and they are not there either. That seemed to me a good reason to write one.',
    'I have set down what each plant looks like, where it likes to stand, and what the people of the coast say about it. What they say is not always true, but it is always said kindly, and I have left it in.',
    'The plates were cut first and coloured afterwards, by an unsteady hand, at an open window. Where the colour runs over the line, there was wind.',
    'Nothing in this book will cure you of anything, save perhaps of hurry.',
  ],
  contents: [
    ['The Lantern-Bell', 3],
    ['The Harbour Poppy', 4],
    ['The Clerk’s Fern', 5],
    ['The Wheelwort', 6],
    ['The Ladder Vetch', 7],
    ['The Tinker’s Thistle', 8],
    ['The Lamp-Berry', 9],
    ['The Evening Daisy', 10],
  ],
};

/** The plants in the order of the book; `draw` names the drawing, `side` the margin it stands in. */
export const PLANTS = [
  {
    draw: 'lanternBell',
    name: 'The Lantern-Bell',
    latin: 'Campanula lucernaria',
    layout: 'right',
    text: [
      'This bell grows on the north side of old walls, where other plants give up. The stem is as straight as a ruled line, and the leaves stand out from it like open hands, each one toothed along the edge as a saw is.',
      'The flowers hang in order, the largest lowest. They are of the blue that the sky has for a quarter of an hour after the sun is gone; and when the wind moves them one listens, and is surprised every time to hear nothing.',
      'In the hill villages a child who is sent out after dark carries a stem of it. It gives no light at all. *But it is remarkable,* an old woman told me, *how seldom they fall.*',
      'It flowers from June until somebody picks it.',
    ],
  },
  {
    draw: 'harbourPoppy',
    name: 'The Harbour Poppy',
    latin: 'Papaver portuense',
    reach: [925, 115],
    layout: 'top',
    text: [
      'The harbour poppy sows itself between the stones of the quay, and no harbour master has ever been able to stop it. Its petals are thin as the paper of letters, and they are dropped at the first rain, all six together.',
      'The bud hangs its head; the flower lifts it. The seed stands afterwards in a little urn with a lid, which opens in dry weather and shuts in wet. Sailors carry one in the pocket, and look at it before they look at the sky.',
    ],
  },
  {
    draw: 'clerksFern',
    name: 'The Clerk’s Fern',
    latin: 'Filix scribarum',
    layout: 'top',
    text: [
      'It loves damp, quiet and shade, and is therefore found in the yards of libraries. The young frond comes up rolled like a letter, and takes a month to be read to the end.',
      'The leaf is divided, and each part divided again in the same manner, and so on for as long as one cares to look. I had meant to count the parts. I reached four thousand, and then it was supper. Pressed in a ledger, it keeps its green for seven years, and its place for ever.',
    ],
  },
  {
    draw: 'wheelwort',
    name: 'The Wheelwort',
    latin: 'Rota umbellata',
    reach: [880, 140],
    layout: 'top',
    text: [
      'Carters know this plant, for it lines every road that is worn deep enough. From the top of the stem the rays spread like spokes, and each spoke bears a smaller wheel, and the small wheels are made of flowers no bigger than a grain of barley.',
      'The leaf is like a feather, and smells of pepper if you rub it. Goats are fond of it. So are beetles with green backs, and you may see a dozen of them at noon upon one wheel, as if on a fairground.',
      'It is said that the plant turns once about in the course of its summer. I tied a thread to one, to find out. In August the thread had gone round, but there had also been a goat.',
    ],
  },
  {
    draw: 'ladderVetch',
    name: 'The Ladder Vetch',
    latin: 'Vicia scalaris',
    layout: 'right',
    text: [
      'A vetch without a back of its own. It climbs up what it finds: a fence, a bean-pole, and once, at Quire, a bishop who had fallen asleep in a chair.',
      'The leaflets are set in pairs like rungs, and at the end of each leaf is a tendril. If you hold a finger to it in the morning you will be held by noon; gently, but so that you notice.',
      'The pods have six seeds, or seven. The flowers are purple on the day they open and blue on the day after, and in this way every plant keeps a kind of calendar, which is right as often as mine.',
    ],
  },
  {
    draw: 'tinkersThistle',
    name: 'The Tinker’s Thistle',
    latin: 'Carduus faber',
    layout: 'top',
    text: [
      'Tall, armed and good-natured. Every leaf ends in a spine, and every head sits in a cup of scales laid over each other as neatly as slates. The tinkers use the dry heads to polish pewter, and plant it wherever they camp, so that one can follow their road for years by its purple.',
      'Do not grasp it firmly, whatever the proverb says. Bees may be found asleep in it at evening, and should be left so.',
    ],
  },
  {
    draw: 'lampBerry',
    name: 'The Lamp-Berry',
    latin: 'Ribes hibernum',
    reach: [1000, 20],
    layout: 'top',
    text: [
      'A shrub of hedges and north-facing yards. The leaf has five lobes, like a hand that is asked to wait. In November, when all else is bare, it ripens its berries in long bunches, the colour of a window with someone at home behind it.',
      'They are sour until the first frost and sweet after the third. Between the second and the third it is best to leave them to the thrushes, who have no opinion in the matter.',
    ],
  },
  {
    draw: 'eveningDaisy',
    name: 'The Evening Daisy',
    latin: 'Bellis vespertina',
    layout: 'top',
    text: [
      'Other daisies shut at dusk. This one opens then, a little at a time, and is widest when there is no one left in the field to see it. The rays are white, and flushed beneath with rose.',
      'I drew it by a candle, and it turned to the candle; so I have drawn it looking straight at you. With this plant the book ends, it being late.',
    ],
    end: true,
  },
];
