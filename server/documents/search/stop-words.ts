/**
 * English and German words of questions. They are searched like other words, and left out only if the
 * question finds too little.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about all am an and any are as at be been by can could data did do does find for from get give had
  has have how i in into is it its list look many me most much my need of on or our see show some tell
  than that the their them there these they this those to up use used using want was we were what when
  where which who whose why will with would you your
  concerning contain containing contains contract contracts dataset datasets information please product
  products regarding related relating
  alle auf aus bei das daten dem den der des die ein eine einen einer es finde fur gibt haben hat hatte
  ich im ist kann liegen mit nach oder sind so uber um und von vom was welche welcher welches wer wie wir
  wo wurde zu zum zur bezug datenprodukte informationen produkte zeige`.split(/\s+/),
)
