import {
  average,
  cents,
  greatest,
  groups,
  inOrder,
  least,
  oneNumber,
  rows,
  sum,
  rowWhere,
  type Task,
} from "../task.ts";
import type { Clinic } from "./data.ts";

const iso = ({ starts }: Clinic["appointments"][number]): string =>
  new Date(starts * 1000).toISOString();
const owed = ({ fee, paid }: Clinic["appointments"][number]): number =>
  fee === null ? Number.NaN : cents(Number(fee) - paid);

/** Reads, filters, order and pages, joins, sums. */
export const CLINIC_READS: readonly Task<Clinic>[] = [
  {
    id: "c01",
    kind: "read",
    ask: "Patient p7: name, day of birth and allergies.",
    expect: ({ patients }) => {
      const { name, born, allergies } = rowWhere(patients, ({ id }) => id === "p7");
      return rows([[name, born, allergies]]);
    },
  },
  {
    id: "c02",
    kind: "read",
    ask: "When does appointment 950 start, and how long does it take?",
    expect: ({ appointments }) => {
      const found = rowWhere(appointments, ({ id }) => id === 950);
      return {
        oneOf: [rows([[iso(found), found.minutes]]), rows([[found.starts, found.minutes]])],
      };
    },
  },
  {
    id: "c03",
    kind: "read",
    ask: "All doctors: name and specialty.",
    expect: ({ doctors }) => rows(doctors.map(({ name, specialty }) => [name, specialty])),
  },
  {
    id: "c04",
    kind: "read",
    ask: "Which appointments has or had patient p20? Id, doctor and status.",
    expect: ({ appointments }) =>
      rows(
        appointments
          .filter(({ patient }) => patient === "p20")
          .map(({ id, doctor, status }) => [id, doctor, status]),
      ),
  },
  {
    id: "c05",
    kind: "read",
    ask: "The name and room of patient p3's own doctor.",
    expect: ({ patients, doctors }) => {
      const { doctor } = rowWhere(patients, ({ id }) => id === "p3");
      const { name, room } = rowWhere(doctors, ({ login }) => login === doctor);
      return rows([[name, room]]);
    },
  },
  {
    id: "c06",
    kind: "read",
    ask: "Find the patients called Frost: id and name.",
    expect: ({ patients }) =>
      rows(patients.filter(({ name }) => name.includes("Frost")).map(({ id, name }) => [id, name])),
  },
  {
    id: "c07",
    kind: "filter",
    ask: "All privately insured patients without a phone number: id and name.",
    expect: ({ patients }) =>
      rows(
        patients
          .filter(({ insurance, phone }) => insurance === "private" && phone === null)
          .map(({ id, name }) => [id, name]),
      ),
  },
  {
    id: "c08",
    kind: "filter",
    ask: "Ids of all patients who are allergic to penicillin but not to nuts.",
    expect: ({ patients }) =>
      rows(
        patients
          .filter(
            ({ allergies }) => allergies.includes("penicillin") && !allergies.includes("nuts"),
          )
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "c09",
    kind: "filter",
    ask: "Ids of all patients who have no known allergy.",
    expect: ({ patients }) =>
      rows(patients.filter(({ allergies }) => allergies.length === 0).map(({ id }) => [id])),
  },
  {
    id: "c10",
    kind: "filter",
    ask: "Doctors hired before 2010 who speak French (fr): logins.",
    expect: ({ doctors }) =>
      rows(
        doctors
          .filter(({ hired, languages }) => hired < "2010" && languages.includes("fr"))
          .map(({ login }) => [login]),
      ),
  },
  {
    id: "c11",
    kind: "filter",
    ask: "Ids of all missed or cancelled appointments that would have taken an hour or more.",
    expect: ({ appointments }) =>
      rows(
        appointments
          .filter(
            ({ status, minutes }) => ["missed", "cancelled"].includes(status) && minutes >= 60,
          )
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "c12",
    kind: "filter",
    ask: "Which appointments that are done have never been billed? Ids.",
    expect: ({ appointments }) =>
      rows(
        appointments
          .filter(({ status, fee }) => status === "done" && fee === null)
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "c13",
    kind: "filter",
    ask: "Ids of all appointments that are not fully paid: less was paid than the fee.",
    expect: ({ appointments }) =>
      rows(appointments.filter((one) => owed(one) > 0).map(({ id }) => [id])),
  },
  {
    id: "c14",
    kind: "filter",
    ask: "Booked appointments whose time has already passed: ids.",
    expect: ({ appointments }, now) =>
      rows(
        appointments
          .filter(({ status, starts }) => status === "booked" && starts * 1000 < now.getTime())
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "c15",
    kind: "filter",
    ask: "All patients who live in Chur: id and postal code.",
    expect: ({ patients }) =>
      rows(
        patients
          .filter(({ address }) => address.city === "Chur")
          .map(({ id, address }) => [id, address["postal code"]]),
      ),
  },
  {
    id: "c16",
    kind: "filter",
    ask: "Ids of all prescriptions that are taken with food and cost more than 50 euros (price).",
    expect: ({ prescriptions }) =>
      rows(
        prescriptions
          .filter(({ details }) => details["with food"] && details.price > 50)
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "c17",
    kind: "filter",
    ask: "Notes that mention blood and are not private: id and text.",
    expect: ({ notes }) =>
      rows(
        notes
          .filter((note) => note.text.toLowerCase().includes("blood") && !note.private)
          .map((note) => [note.id, note.text]),
      ),
  },
  {
    id: "c18",
    kind: "filter",
    ask: "Ids of all patients born in the 1980s.",
    expect: ({ patients }) =>
      rows(patients.filter(({ born }) => born.startsWith("198")).map(({ id }) => [id])),
  },
  {
    id: "c19",
    kind: "filter",
    ask: "Ids of all appointments that are by video and either missed or shorter than 20 minutes.",
    expect: ({ appointments }) =>
      rows(
        appointments
          .filter(({ remote, status, minutes }) => remote && (status === "missed" || minutes < 20))
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "c20",
    kind: "filter",
    ask: "Ids of all prescriptions with exactly one warning.",
    expect: ({ prescriptions }) =>
      rows(prescriptions.filter(({ warnings }) => warnings.length === 1).map(({ id }) => [id])),
  },
  {
    id: "c21",
    kind: "paging",
    ask: "The six youngest patients, the youngest first: name and day of birth.",
    expect: ({ patients }) =>
      inOrder(
        greatest(patients, 6, ({ born }) => Date.parse(born)).map(({ name, born }) => [name, born]),
      ),
  },
  {
    id: "c22",
    kind: "paging",
    ask: "How many appointments are by video?",
    expect: ({ appointments }) => oneNumber(appointments.filter(({ remote }) => remote).length),
  },
  {
    id: "c23",
    kind: "paging",
    ask: "The next appointment from now that is booked: its id.",
    expect: ({ appointments }, now) => {
      const coming = appointments.filter(
        ({ status, starts }) => status === "booked" && starts * 1000 >= now.getTime(),
      );
      return rows(least(coming, 1, ({ starts }) => starts).map(({ id }) => [id]));
    },
  },
  {
    id: "c24",
    kind: "paging",
    ask: "Which drugs have been prescribed at all? Each once.",
    expect: ({ prescriptions }) =>
      rows([...new Set(prescriptions.map(({ drug }) => drug))].map((drug) => [drug])),
  },
  {
    id: "c25",
    kind: "join",
    ask: "Names of the patients who have ever missed an appointment, each once.",
    expect: ({ appointments, patients }) => {
      const ids = new Set(
        appointments.filter(({ status }) => status === "missed").map(({ patient }) => patient),
      );
      return rows(patients.filter(({ id }) => ids.has(id)).map(({ name }) => [name]));
    },
  },
  {
    id: "c26",
    kind: "join",
    ask: "Ids of all appointments with a doctor other than the patient's own doctor.",
    expect: ({ appointments, patients }) =>
      rows(
        appointments
          .filter(({ patient, doctor }) => {
            const own = rowWhere(patients, ({ id }) => id === patient).doctor;
            return own !== null && own !== doctor;
          })
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "c27",
    kind: "join",
    ask: "Which doctors have no patients of their own? Logins.",
    expect: ({ patients, doctors }) => {
      const logins = new Set(patients.map(({ doctor }) => doctor));
      return rows(doctors.filter(({ login }) => !logins.has(login)).map(({ login }) => [login]));
    },
  },
  {
    id: "c28",
    kind: "join",
    ask: "All prescriptions of penicillin-allergic patients for amoxil: prescription id and patient name.",
    expect: ({ prescriptions, patients }) =>
      rows(
        prescriptions.flatMap(({ id, patient, drug }) => {
          const { name, allergies } = rowWhere(patients, (one) => one.id === patient);
          return drug === "amoxil" && allergies.includes("penicillin") ? [[id, name]] : [];
        }),
      ),
  },
  {
    id: "c29",
    kind: "join",
    ask: "Each private note with the name of the doctor who wrote it and the patient (id) of the appointment: note id, name, patient.",
    expect: ({ notes, doctors, appointments }) =>
      rows(
        notes
          .filter((note) => note.private)
          .map(({ id, author, appointment }) => [
            id,
            rowWhere(doctors, ({ login }) => login === author).name,
            rowWhere(appointments, (one) => one.id === appointment).patient,
          ]),
      ),
  },
  {
    id: "c30",
    kind: "join",
    ask: "Notes whose author is not the doctor of the appointment: note ids.",
    expect: ({ notes, appointments }) =>
      rows(
        notes
          .filter(
            ({ author, appointment }) =>
              rowWhere(appointments, ({ id }) => id === appointment).doctor !== author,
          )
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "c31",
    kind: "join",
    ask: "For each cardiologist: login, name and how many appointments they have or had, 0 included.",
    expect: ({ doctors, appointments }) =>
      rows(
        doctors
          .filter(({ specialty }) => specialty === "cardiology")
          .map(({ login, name }) => [
            login,
            name,
            appointments.filter(({ doctor }) => doctor === login).length,
          ]),
      ),
  },
  {
    id: "c32",
    kind: "join",
    ask: "The longest appointment of each doctor who has more than five: doctor and minutes.",
    expect: ({ appointments }) =>
      rows(
        groups(appointments, ({ doctor }) => doctor)
          .filter(([, list]) => list.length > 5)
          .map(([doctor, list]) => [doctor, Math.max(...list.map(({ minutes }) => minutes))]),
      ),
  },
  {
    id: "c33",
    kind: "join",
    ask: "Each patient's most recent prescription, for the patients of doctor weiss (their own doctor): patient, drug and day.",
    expect: ({ patients, prescriptions }) =>
      rows(
        patients
          .filter(({ doctor }) => doctor === "weiss")
          .flatMap(({ id }) => {
            const own = prescriptions.filter(({ patient }) => patient === id);
            return own.length === 0
              ? []
              : greatest(own, 1, ({ issued }) => Date.parse(issued)).map(({ drug, issued }) => [
                  id,
                  drug,
                  issued,
                ]);
          }),
      ),
  },
  {
    id: "c34",
    kind: "sum",
    ask: "How much was billed in all, and how much of it was paid?",
    expect: ({ appointments }) =>
      rows([
        [
          cents(sum(appointments.map(({ fee }) => Number(fee ?? 0)))),
          cents(sum(appointments.map(({ paid }) => paid))),
        ],
      ]),
  },
  {
    id: "c35",
    kind: "sum",
    ask: "What is still owed to us, over all billed appointments?",
    expect: ({ appointments }) =>
      oneNumber(sum(appointments.filter(({ fee }) => fee !== null).map((one) => owed(one))), 1e-6),
  },
  {
    id: "c36",
    kind: "sum",
    ask: "For each doctor with a missed appointment: the doctor, and how many were missed.",
    expect: ({ appointments }) =>
      rows(
        groups(
          appointments.filter(({ status }) => status === "missed"),
          ({ doctor }) => doctor,
        ).map(([doctor, list]) => [doctor, list.length]),
      ),
  },
  {
    id: "c37",
    kind: "sum",
    ask: "Patients by insurance: how many there are, and how many of them have their own doctor.",
    expect: ({ patients }) =>
      rows(
        groups(patients, ({ insurance }) => insurance).map(([insurance, list]) => [
          insurance,
          list.length,
          list.filter(({ doctor }) => doctor !== null).length,
        ]),
      ),
  },
  {
    id: "c38",
    kind: "sum",
    ask: "What is the average hourly rate of each specialty, to cents?",
    expect: ({ doctors }) =>
      rows(
        groups(doctors, ({ specialty }) => specialty).map(([specialty, list]) => [
          specialty,
          cents(average(list.map(({ rate }) => rate))),
        ]),
      ),
  },
  {
    id: "c39",
    kind: "sum",
    ask: "How many hours do the booked appointments of doctor petit take in all?",
    expect: ({ appointments }) =>
      oneNumber(
        sum(
          appointments
            .filter(({ doctor, status }) => doctor === "petit" && status === "booked")
            .map(({ minutes }) => minutes),
        ) / 60,
        0.006,
      ),
  },
  {
    id: "c40",
    kind: "sum",
    ask: "Appointments by the hour of the day they start at (UTC): hour and number.",
    expect: ({ appointments }) =>
      rows(
        groups(appointments, (one) => iso(one).slice(11, 13)).map(([hour, list]) => [
          Number(hour),
          list.length,
        ]),
      ),
  },
  {
    id: "c41",
    kind: "sum",
    ask: "How many patients live in each city?",
    expect: ({ patients }) =>
      rows(
        groups(patients, ({ address }) => address.city).map(([city, list]) => [city, list.length]),
      ),
  },
];
