import { foldWord } from "./words.ts";

/** Words of English that say how, not what: they stand in sentences about anything. */
const STOP_WORDS = `
a an the this that these those such any some every each all both either neither no not none only own same
of in on at to for from with without by into onto about as than per via between among within through during
before after since until till above below under over against
and or but nor so if then else while because whether also too both again once
i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs
one ones somebody someone something anybody anyone anything everybody everyone everything nobody nothing
who whom whose what which when where why how there here
be am is are was were been being do does did done doing have has had having
can could may might must shall should will would let lets
please want wants wanted like need needs needed give gives tell tells show shows see sees get gets got getting
look looks display view know known check use using put take takes taken go goes going gone went come comes
just still yet already ever never now right currently very much many more most few less least lot lots
up down out off away back around along far altogether together whole else lately yet soon quite rather exactly
everywhere anywhere nowhere somewhere exist exists happen happens happened
`;

/** Times and numbers: values that a goal names, seldom what it is about. */
const LIGHT_WORDS = `
today yesterday tomorrow tonight morning evening night day days week weeks weekend month months year years
hourly daily weekly monthly yearly minute minutes second seconds ago last next past recent recently latest
first third current new newest old older oldest
monday tuesday wednesday thursday friday saturday sunday
january february march april june july august september october november december
sum total average mean amount number percent percentage oldest newest longest shortest biggest largest smallest
highest lowest cheapest fastest best worst top
euro euros dollar dollars cent cents pound pounds metre metres meter kilometre kilometres kilometer mile miles inch inches
foot feet gram grams kilo kilos kilogram kilograms litre litres degree degrees pixel pixels
zero two three four five six seven eight nine ten hundred thousand half dozen
`;

const folded = (words: string): ReadonlySet<string> =>
  new Set(words.trim().split(/\s+/).map(foldWord));

/** The terms of words that say nothing of what a sentence is about. */
export const STOP_TERMS: ReadonlySet<string> = folded(STOP_WORDS);

/** The terms of times and numbers. */
export const LIGHT_TERMS: ReadonlySet<string> = folded(LIGHT_WORDS);
