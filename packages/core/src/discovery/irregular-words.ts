/** Forms of English that no ending tells: the base first, then what becomes of it. */
const FORMS = `
be am is are was were been
begin began begun
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
do did done does
draw drew drawn
drive drove driven
fall fell fallen
find found
get got gotten
give gave given
go went gone goes
grow grew grown
have had has
hear heard
hide hid hidden
hold held
keep kept
know knew known
lead led
leave left
lend lent
lose lost
make made
mean meant
meet met
pay paid
ring rang rung
rise rose risen
run ran
say said
see saw seen
sell sold
send sent
show shown
sink sank sunk
spend spent
stand stood
stick stuck
take took taken
tell told
think thought
throw threw thrown
understand understood
win won
write wrote written
child children
man men
woman women
person people persons
analysis analyses
index indices
vertex vertices
`;

const BASES: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split("\n")
    .flatMap((line) => {
      const [base = "", ...forms] = line.split(" ");
      return forms.map((form): [string, string] => [form, base]);
    }),
);

/** The base of an irregular form (`wrote`: `write`, `people`: `person`), any other word as it is. */
export const baseOf = (word: string): string => BASES.get(word) ?? word;
