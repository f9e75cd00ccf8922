import { rfc3339, Seeded, unixSeconds } from "@plasm/sample-apis/shop";
import type { Collection } from "@plasm/sample-apis/shop";

interface Doctor {
  readonly login: string;
  readonly name: string;
  readonly specialty: string;
  readonly room: string | null;
  /** euros for an hour */
  readonly rate: number;
  readonly hired: string;
  readonly languages: readonly string[];
}

interface Patient {
  readonly id: string;
  readonly name: string;
  readonly born: string;
  readonly phone: string | null;
  readonly insurance: string;
  readonly doctor: string | null;
  readonly height_cm: number | null;
  /** kilograms, as text */
  readonly weight_kg: string | null;
  readonly allergies: readonly string[];
  readonly address: {
    readonly street: string;
    readonly city: string;
    readonly "postal code": string;
  };
}

interface Appointment {
  readonly id: number;
  readonly patient: string;
  readonly doctor: string;
  /** seconds since 1970 */
  readonly starts: number;
  readonly minutes: number;
  readonly status: string;
  /** euros, as text; null until it is billed */
  readonly fee: string | null;
  readonly paid: number;
  readonly reason: string | null;
  readonly remote: boolean;
}

interface Note {
  readonly id: number;
  readonly appointment: number;
  readonly author: string;
  readonly written: string;
  readonly text: string;
  readonly private: boolean;
}

interface Prescription {
  readonly id: number;
  readonly patient: string;
  readonly doctor: string;
  readonly drug: string;
  readonly dose_mg: number;
  readonly per_day: number;
  readonly days: number;
  readonly refills: number | null;
  readonly issued: string;
  readonly warnings: readonly string[];
  readonly details: {
    readonly form: string;
    readonly "with food": boolean;
    readonly price: number;
  };
}

export interface Clinic {
  readonly doctors: readonly Doctor[];
  readonly patients: readonly Patient[];
  readonly appointments: readonly Appointment[];
  readonly notes: readonly Note[];
  readonly prescriptions: readonly Prescription[];
}

const FIRST =
  "Amara Bo Carmen Dev Elsa Farid Greta Hana Ivo Jana Kofi Lena Marek Nora Otto Pia".split(" ");
const LAST = "Adler Brook Chen Diaz Evers Frost Gold Hardy Ivers Jung".split(" ");
const SURNAMES =
  "Hale Okoro Lindt Varga Sato Reyes Moran Keller Duarte Novak Petit Quist Rossi Stone Tamm Unger Vidal Weiss Young Zeller".split(
    " ",
  );
const SPECIALTIES = ["cardiology", "dermatology", "general", "paediatrics", "surgery"];
const CITIES = ["Bern", "Basel", "Chur", "Thun"];
const DRUGS = ["amoxil", "brufen", "cortan", "dolorex", "elavil", "fluvox"];
const REASONS = [
  "check-up",
  "back pain",
  "skin rash",
  "headache",
  "follow-up visit",
  "vaccination",
];
const REMARKS = [
  "Patient feels better",
  "Blood pressure high, check again",
  "Needs a blood test",
  "No complaints",
  "Refer to surgery",
];

const doctorsOf = (random: Seeded): readonly Doctor[] =>
  Array.from({ length: 40 }, (_, at) => {
    const surname = SURNAMES[at % SURNAMES.length] ?? "";
    const initial = FIRST[(at * 7) % FIRST.length] ?? "";
    return {
      login: `${surname.toLowerCase()}${at < 20 ? "" : "2"}`,
      name: `${initial} ${surname}`,
      specialty: random.pick(SPECIALTIES),
      room: random.chance(0.2) ? null : `${random.pick(["A", "B", "C"])}${random.between(1, 30)}`,
      rate: random.between(90, 320),
      hired: random.day("2005-01-01", "2026-05-31"),
      languages: ["en", ...random.some(["de", "fr", "it"], 2)],
    };
  });

const patientsOf = (random: Seeded, doctors: readonly Doctor[]): readonly Patient[] =>
  Array.from({ length: 75 }, (_, at) => ({
    id: `p${at + 1}`,
    name: `${FIRST[at % FIRST.length]} ${LAST[(at * 3 + Math.floor(at / 16)) % LAST.length]}`,
    born: random.day("1935-01-01", "2022-12-31"),
    phone: random.chance(0.2)
      ? null
      : `+41 ${random.between(100, 999)} ${random.between(1000, 9999)}`,
    insurance: random.pick(["public", "private", "none"]),
    doctor: random.chance(0.15) ? null : random.pick(doctors.slice(0, 25)).login,
    height_cm: random.chance(0.1) ? null : random.between(98, 201),
    weight_kg: random.chance(0.1) ? null : (random.between(180, 1200) / 10).toFixed(1),
    allergies: random.some(["penicillin", "pollen", "latex", "nuts"], 3),
    address: {
      street: `${random.pick(["Lake", "Hill", "Mill"])} Road ${random.between(1, 99)}`,
      city: random.pick(CITIES),
      "postal code": String(random.between(3000, 9999)),
    },
  }));

function appointmentOf(
  random: Seeded,
  at: number,
  { doctors, patients }: Pick<Clinic, "doctors" | "patients">,
): Appointment {
  const status = random.pick(["booked", "done", "done", "missed", "cancelled"]);
  const future = status === "booked";
  const starts = future
    ? random.moment("2026-08-01", "2031-12-31")
    : random.moment("2025-06-01", "2026-07-31");
  const quarter = 900;
  const fee = status === "done" && random.chance(0.9) ? random.between(4000, 40_000) / 100 : null;
  const paid =
    fee === null ? 0 : random.chance(0.5) ? fee : random.between(0, Math.floor(fee * 100)) / 100;
  return {
    id: 900 + at,
    patient: random.pick(patients.slice(0, 60)).id,
    doctor: random.pick(doctors.slice(0, 22)).login,
    starts: Math.floor(unixSeconds(starts) / quarter) * quarter,
    minutes: random.pick([10, 15, 20, 30, 45, 60, 90]),
    status,
    fee: fee === null ? null : fee.toFixed(2),
    paid,
    reason: random.chance(0.15) ? null : random.pick(REASONS),
    remote: random.chance(0.3),
  };
}

const notesOf = (random: Seeded, appointments: readonly Appointment[]): readonly Note[] =>
  Array.from({ length: 70 }, (_, at) => {
    const { id, doctor } = random.pick(appointments);
    return {
      id: 1 + at,
      appointment: id,
      author: random.chance(0.8) ? doctor : "hale",
      written: rfc3339(random.moment("2026-01-01", "2026-08-31")),
      text: random.pick(REMARKS),
      private: random.chance(0.3),
    };
  });

const prescriptionsOf = (
  random: Seeded,
  { doctors, patients }: Pick<Clinic, "doctors" | "patients">,
): readonly Prescription[] =>
  Array.from({ length: 80 }, (_, at) => ({
    id: 300 + at,
    patient: random.pick(patients.slice(0, 50)).id,
    doctor: random.pick(doctors.slice(0, 22)).login,
    drug: random.pick(DRUGS),
    dose_mg: random.pick([2.5, 5, 10, 12.5, 50, 250, 400]),
    per_day: random.between(1, 4),
    days: random.between(3, 30),
    refills: random.chance(0.3) ? null : random.between(0, 5),
    issued: random.day("2026-01-01", "2026-08-31"),
    warnings: random.some(["alcohol", "driving", "sunlight"], 2),
    details: {
      form: random.pick(["tablet", "syrup", "cream"]),
      "with food": random.chance(0.5),
      price: random.between(300, 9000) / 100,
    },
  }));

/** The clinic's data, the same at every call. */
export function clinicData(): Clinic {
  const random = new Seeded(41_107);
  const doctors = doctorsOf(random);
  const patients = patientsOf(random, doctors);
  const appointments = Array.from({ length: 120 }, (_, at) =>
    appointmentOf(random, at, { doctors, patients }),
  );
  const notes = notesOf(random, appointments);
  return {
    doctors,
    patients,
    appointments,
    notes,
    prescriptions: prescriptionsOf(random, { doctors, patients }),
  };
}

const NOW = "2026-09-01T12:00:00Z";

/** What the clinic's API serves. */
export const clinicCollections = (data: Clinic): readonly Collection[] => [
  {
    name: "doctors",
    key: "login",
    rows: data.doctors,
    paging: "whole",
    filters: [],
    update: ["room", "rate", "languages"],
  },
  {
    name: "patients",
    key: "id",
    rows: data.patients,
    paging: "offset",
    filters: ["doctor", "insurance"],
    search: "name",
    create: (body, count) => ({
      phone: null,
      insurance: "none",
      doctor: null,
      height_cm: null,
      weight_kg: null,
      allergies: [],
      address: {},
      ...body,
      id: `p${count + 1}`,
    }),
    update: ["name", "phone", "insurance", "doctor", "allergies", "weight_kg"],
    actions: { remind: { takes: ["text"], apply: () => undefined } },
  },
  {
    name: "appointments",
    key: "id",
    rows: data.appointments,
    paging: "cursor",
    filters: ["patient", "doctor", "status"],
    create: (body, count) => ({
      status: "booked",
      fee: null,
      paid: 0,
      reason: null,
      remote: false,
      ...body,
      id: 900 + count,
    }),
    update: ["minutes", "reason", "remote", "doctor"],
    actions: {
      cancel: {
        takes: ["reason"],
        apply: (row) => {
          row["status"] = "cancelled";
        },
      },
      bill: {
        takes: ["fee"],
        apply: (row, { fee }) => {
          row["fee"] = Number(fee).toFixed(2);
        },
      },
    },
  },
  {
    name: "notes",
    key: "id",
    rows: data.notes,
    paging: "page",
    filters: ["appointment"],
    create: (body, count) => ({ private: false, ...body, id: 1 + count, written: NOW }),
    update: ["text", "private"],
    delete: true,
  },
  {
    name: "prescriptions",
    key: "id",
    rows: data.prescriptions,
    paging: "page",
    filters: ["patient", "drug"],
    create: (body, count) => ({
      refills: null,
      warnings: [],
      details: {},
      ...body,
      id: 300 + count,
      issued: NOW.slice(0, 10),
    }),
    update: ["dose_mg", "per_day", "days", "refills", "warnings"],
    actions: { stop: { takes: ["reason"], apply: () => undefined } },
  },
];
