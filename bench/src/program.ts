/** Ten statements over the quay catalog, of the kinds agents write. */
export const TEN_STATEMENTS = `lost = Boat{state=lost, length>10}.sort(length, desc).limit(10)[id, name, length]
owned = Boat{owner=ann}.limit(5)
one = Boat("b1")
visits = Boat("b1").visits{fee>10}
logs = Boat("b1").logs[id, text]
found = Boat~"Al"{state=moored}.limit(3)
people = Person.sort(name).limit(20)[login, name]
moored = Boat{state=moored, built<2015-01-01}.limit(10)
papers = Boat("b2").papers
lost, owned, one, visits, logs, found, people, moored, papers`;
