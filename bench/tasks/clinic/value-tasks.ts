import {
  cents,
  deleted,
  effects,
  greatest,
  inOrder,
  oneNumber,
  patched,
  posted,
  rows,
  oneText,
  rowWhere,
  type Task,
} from "../task.ts";
import type { Clinic } from "./data.ts";

const COMPUTED: readonly Task<Clinic>[] = [
  {
    id: "c42",
    kind: "computed",
    ask: "For each amoxil prescription: its id and the milligrams in all (dose times a day, times days).",
    expect: ({ prescriptions }) =>
      rows(
        prescriptions
          .filter(({ drug }) => drug === "amoxil")
          .map(({ id, dose_mg, per_day, days }) => [id, dose_mg * per_day * days]),
      ),
  },
  {
    id: "c43",
    kind: "computed",
    ask: "Body mass index (kilograms by square of the height in metres) of each patient of doctor weiss, rounded to one decimal; leave out those of whom height or weight is unknown. Patient id and index.",
    expect: ({ patients }) =>
      rows(
        patients.flatMap(({ id, doctor, height_cm, weight_kg }) =>
          doctor === "weiss" && height_cm !== null && weight_kg !== null
            ? [[id, Math.round((Number(weight_kg) / (height_cm / 100) ** 2) * 10) / 10]]
            : [],
        ),
      ),
  },
  {
    id: "c44",
    kind: "computed",
    ask: "On which day does each prescription of patient p15 end, counted as the day of issue plus its days? Id and day.",
    expect: ({ prescriptions }) =>
      rows(
        prescriptions
          .filter(({ patient }) => patient === "p15")
          .map(({ id, issued, days }) => [
            id,
            new Date(Date.parse(issued) + days * 86_400_000).toISOString().slice(0, 10),
          ]),
      ),
  },
  {
    id: "c45",
    kind: "computed",
    ask: "When do the booked appointments of doctor hale end? Id and moment.",
    expect: ({ appointments }) =>
      rows(
        appointments
          .filter(({ doctor, status }) => doctor === "hale" && status === "booked")
          .map(({ id, starts, minutes }) => [
            id,
            new Date((starts + minutes * 60) * 1000).toISOString(),
          ]),
      ),
  },
  {
    id: "c46",
    kind: "computed",
    ask: "The five appointments of which most is still owed (fee minus what was paid), the largest first: id and amount.",
    expect: ({ appointments }) => {
      const open = appointments.flatMap(({ id, fee, paid }) =>
        fee === null ? [] : [[id, cents(Number(fee) - paid)] as const],
      );
      return inOrder(greatest(open, 5, ([, amount]) => amount));
    },
  },
  {
    id: "c47",
    kind: "computed",
    ask: "What should each booked appointment of doctor petit cost, by the doctor's hourly rate and its minutes, rounded to cents? Id and amount.",
    expect: ({ appointments, doctors }) => {
      const { rate } = rowWhere(doctors, ({ login }) => login === "petit");
      return rows(
        appointments
          .filter(({ doctor, status }) => doctor === "petit" && status === "booked")
          .map(({ id, minutes }) => [id, cents((rate * minutes) / 60)]),
      );
    },
  },
  {
    id: "c48",
    kind: "computed",
    ask: "For each doctor of surgery: name and full years since being hired, as of the 1st of September 2026, a year counted as 365 days.",
    expect: ({ doctors }) =>
      rows(
        doctors
          .filter(({ specialty }) => specialty === "surgery")
          .map(({ name, hired }) => [
            name,
            Math.floor((Date.parse("2026-09-01") - Date.parse(hired)) / 86_400_000 / 365),
          ]),
      ),
  },
  {
    id: "c49",
    kind: "computed",
    ask: "Doctors as they should stand on the door plate, such as: Dr Amara Hale, room C27. Only those of paediatrics who have a room.",
    expect: ({ doctors }) =>
      rows(
        doctors
          .filter(({ specialty, room }) => specialty === "paediatrics" && room !== null)
          .map(({ name, room }) => [`Dr ${name}, room ${room}`]),
      ),
  },
  {
    id: "c50",
    kind: "computed",
    ask: "Of each patient without own doctor: the id, and the phone number or, if there is none, the words no phone.",
    expect: ({ patients }) =>
      rows(
        patients
          .filter(({ doctor }) => doctor === null)
          .map(({ id, phone }) => [id, phone ?? "no phone"]),
      ),
  },
  {
    id: "c51",
    kind: "computed",
    ask: "The last names of the patients insured by nobody (insurance none), in capitals, with their ids.",
    expect: ({ patients }) =>
      rows(
        patients
          .filter(({ insurance }) => insurance === "none")
          .map(({ id, name }) => [id, name.split(" ")[1]?.toUpperCase()]),
      ),
  },
  {
    id: "c52",
    kind: "computed",
    ask: "How many done appointments lasted long: an hour or more? And how many were shorter? Two numbers.",
    expect: ({ appointments }) => {
      const done = appointments.filter(({ status }) => status === "done");
      const long = done.filter(({ minutes }) => minutes >= 60).length;
      return rows([[long, done.length - long]]);
    },
  },
  {
    id: "c53",
    kind: "computed",
    ask: "Ids of all patients whose weight in kilograms is more than their height in centimetres minus 100.",
    expect: ({ patients }) =>
      rows(
        patients
          .filter(
            ({ height_cm, weight_kg }) =>
              height_cm !== null && weight_kg !== null && Number(weight_kg) > height_cm - 100,
          )
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "c54",
    kind: "computed",
    ask: "How many appointments, of any status, fall on a Monday (UTC)?",
    expect: ({ appointments }) =>
      oneNumber(
        appointments.filter(({ starts }) => new Date(starts * 1000).getUTCDay() === 1).length,
      ),
  },
];

const TEXTS: readonly Task<Clinic>[] = [
  {
    id: "c55",
    kind: "text",
    ask: "A list as text of doctor weiss's own patients in order of their names, one a line, like: 1. Amara Adler (public)",
    expect: ({ patients }) =>
      oneText(
        patients
          .filter(({ doctor }) => doctor === "weiss")
          .toSorted((a, b) => (a.name < b.name ? -1 : 1))
          .map(({ name, insurance }, at) => `${at + 1}. ${name} (${insurance})`)
          .join("\n"),
      ),
  },
  {
    id: "c56",
    kind: "text",
    ask: "One line of text with the logins of all doctors who speak Italian (it), in alphabetical order, separated by a semicolon and a blank.",
    expect: ({ doctors }) =>
      oneText(
        doctors
          .filter(({ languages }) => languages.includes("it"))
          .map(({ login }) => login)
          .toSorted()
          .join("; "),
      ),
  },
];

const EFFECTS: readonly Task<Clinic>[] = [
  {
    id: "c57",
    kind: "effect",
    ask: "Doctor okoro moves to room B4.",
    expect: () => effects([patched("/doctors/okoro", { room: "B4" })]),
  },
  {
    id: "c58",
    kind: "effect",
    ask: "Enter the new patient Sam Ruiz, born on 3 May 1999, insured publicly, with doctor lindt as own doctor.",
    expect: () =>
      effects([
        posted("/patients", {
          name: "Sam Ruiz",
          born: "1999-05-03",
          insurance: "public",
          doctor: "lindt",
        }),
      ]),
  },
  {
    id: "c59",
    kind: "effect",
    ask: "Book half an hour with doctor hale for patient p5, on 15 January 2032 at 9:30 UTC, because of back pain.",
    expect: () =>
      effects([
        posted("/appointments", {
          patient: "p5",
          doctor: "hale",
          starts: Date.parse("2032-01-15T09:30:00Z") / 1000,
          minutes: 30,
          reason: "back pain",
        }),
      ]),
  },
  {
    id: "c60",
    kind: "effect",
    ask: "Cancel all booked appointments of doctor petit, with the reason: doctor is ill",
    expect: ({ appointments }) =>
      effects(
        appointments
          .filter(({ doctor, status }) => doctor === "petit" && status === "booked")
          .map(({ id }) => posted(`/appointments/${id}/cancel`, { reason: "doctor is ill" })),
      ),
  },
  {
    id: "c61",
    kind: "effect",
    ask: "Text each patient who has a booked appointment with doctor hale: Dear Amara Adler, see you soon.",
    expect: ({ appointments, patients }) => {
      const ids = new Set(
        appointments
          .filter(({ doctor, status }) => doctor === "hale" && status === "booked")
          .map(({ patient }) => patient),
      );
      return effects(
        patients
          .filter(({ id }) => ids.has(id))
          .map(({ id, name }) =>
            posted(`/patients/${id}/remind`, { text: `Dear ${name}, see you soon.` }),
          ),
      );
    },
  },
  {
    id: "c62",
    kind: "effect",
    ask: "Bill every done appointment that has no fee yet with 2 euros for each of its minutes.",
    expect: ({ appointments }) =>
      effects(
        appointments
          .filter(({ status, fee }) => status === "done" && fee === null)
          .map(({ id, minutes }) => posted(`/appointments/${id}/bill`, { fee: minutes * 2 })),
      ),
  },
  {
    id: "c63",
    kind: "effect",
    ask: "Halve the dose of every elavil prescription that has the warning driving.",
    expect: ({ prescriptions }) =>
      effects(
        prescriptions
          .filter(({ drug, warnings }) => drug === "elavil" && warnings.includes("driving"))
          .map(({ id, dose_mg }) => patched(`/prescriptions/${id}`, { dose_mg: dose_mg / 2 })),
      ),
  },
  {
    id: "c64",
    kind: "effect",
    ask: "Patient p9 is allergic to dust, too: note it beside the allergies that are known.",
    expect: ({ patients }) =>
      effects([
        patched("/patients/p9", {
          allergies: [...rowWhere(patients, ({ id }) => id === "p9").allergies, "dust"],
        }),
      ]),
  },
  {
    id: "c65",
    kind: "effect",
    ask: "Take the warning sunlight off all prescriptions for cortan, and leave the others.",
    expect: ({ prescriptions }) =>
      effects(
        prescriptions
          .filter(({ drug, warnings }) => drug === "cortan" && warnings.includes("sunlight"))
          .map(({ id, warnings }) =>
            patched(`/prescriptions/${id}`, {
              warnings: warnings.filter((one) => one !== "sunlight"),
            }),
          ),
      ),
  },
  {
    id: "c66",
    kind: "effect",
    ask: "Delete all notes on cancelled appointments.",
    expect: ({ notes, appointments }) =>
      effects(
        notes
          .filter(
            ({ appointment }) =>
              rowWhere(appointments, ({ id }) => id === appointment).status === "cancelled",
          )
          .map(({ id }) => deleted(`/notes/${id}`)),
      ),
  },
  {
    id: "c67",
    kind: "effect",
    ask: "For each missed appointment of doctor zeller write a private note by zeller: Missed, was planned for 30 minutes. (with the right number of minutes)",
    expect: ({ appointments }) =>
      effects(
        appointments
          .filter(({ doctor, status }) => doctor === "zeller" && status === "missed")
          .map(({ id, minutes }) =>
            posted("/notes", {
              appointment: id,
              author: "zeller",
              private: true,
              text: `Missed, was planned for ${minutes} minutes.`,
            }),
          ),
      ),
  },
  {
    id: "c68",
    kind: "effect",
    ask: "Give all patients of their own doctor young to doctor stone as their own doctor.",
    expect: ({ patients }) =>
      effects(
        patients
          .filter(({ doctor }) => doctor === "young")
          .map(({ id }) => patched(`/patients/${id}`, { doctor: "stone" })),
      ),
  },
  {
    id: "c69",
    kind: "effect",
    ask: "Raise the rate of all doctors of dermatology by 5 percent, rounded to whole euros.",
    expect: ({ doctors }) =>
      effects(
        doctors
          .filter(({ specialty }) => specialty === "dermatology")
          .map(({ login, rate }) =>
            patched(`/doctors/${login}`, { rate: Math.round(Number((rate * 1.05).toFixed(6))) }),
          ),
      ),
  },
  {
    id: "c70",
    kind: "effect",
    ask: "In all private notes, write Client in place of the word Patient.",
    expect: ({ notes }) =>
      effects(
        notes
          .filter((note) => note.private && note.text.includes("Patient"))
          .map((note) =>
            patched(`/notes/${note.id}`, { text: note.text.replaceAll("Patient", "Client") }),
          ),
      ),
  },
];

/** Computed values, texts and effects. */
export const CLINIC_VALUES: readonly Task<Clinic>[] = [...COMPUTED, ...TEXTS, ...EFFECTS];
