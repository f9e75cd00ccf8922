import type { Notice } from "@plasm/agent-core/internal";
import { clip, visible } from "@plasm/core/internal";

/** A notice in words for people. */
export interface NoticeWords {
  readonly subject: string;
  readonly text: string;
  /** the page of the console where somebody signs in, and then decides or looks */
  readonly url: string;
}

const LONGEST_NAME = 80;

const NOTHING_WATCHED = { program: "a program", appeared: 0, changed: 0, vanished: 0 };

/** A name that somebody else has chosen, as one line that is only read. */
const named = (name: string): string => clip(visible(name), LONGEST_NAME);

const effectsOf = ({ effects }: Notice): string =>
  effects === 1 ? "1 effect" : `${effects} effects`;

function personOf({ subject, acting_for: actingFor }: Notice): string {
  const who = subject === null ? "Somebody" : named(subject);
  return actingFor === null ? who : `${who}, for ${named(actingFor)},`;
}

/** What is told of a notice, and where its link leads: to a page that asks who one is, never to what decides. */
export function wordsFor(origin: string): (notice: Notice) => NoticeWords {
  const page = (path: string): string => `${origin}/console${path}`;
  const tail = ({ tenant, capabilities }: Notice): readonly string[] => [
    ...(capabilities.length === 0 ? [] : [`It would use ${capabilities.map(named).join(", ")}.`]),
    `Tenant: ${named(tenant)}`,
  ];
  return (notice) => {
    const ref = notice.plan_commit_ref ?? "a plan";
    const approval = page(`/approvals/${encodeURIComponent(notice.commit_uuid ?? "")}`);
    switch (notice.type) {
      case "approval.requested": {
        const until = notice.expires_at === null ? "" : `, until ${notice.expires_at}`;
        const first = `${personOf(notice)} asks to run ${ref} with ${effectsOf(notice)}. It waits for an operator${until}.`;
        const subject = `Plasm: ${ref} waits for approval`;
        return { subject, text: [first, ...tail(notice)].join("\n"), url: approval };
      }
      case "approval.decided": {
        const verdict = notice.verdict ?? "decided";
        const first = `${named(notice.decided_by ?? "An operator")} ${verdict} ${ref} of ${notice.subject === null ? "somebody" : named(notice.subject)}, with ${effectsOf(notice)}.`;
        const subject = `Plasm: ${ref} was ${verdict}`;
        return { subject, text: [first, ...tail(notice)].join("\n"), url: approval };
      }
      case "watch.changed": {
        const { program, appeared, changed, vanished } = notice.watch ?? NOTHING_WATCHED;
        const rows = `${appeared} appeared, ${changed} changed, ${vanished} vanished`;
        const first = `Rows of ${named(program)}, watched by ${notice.subject === null ? "somebody" : named(notice.subject)}: ${rows}.`;
        const subject = `Plasm: ${named(program)} has changed`;
        return { subject, text: [first, ...tail(notice)].join("\n"), url: page("/") };
      }
      case "run.uncertain": {
        const doubt = `${notice.in_doubt} of ${effectsOf(notice)}`;
        const first = `A run of ${ref} by ${notice.subject === null ? "somebody" : named(notice.subject)} has ended, and nobody knows whether ${doubt} happened. Look before it is repeated.`;
        const subject = `Plasm: what ${ref} changed is not certain`;
        return { subject, text: [first, ...tail(notice)].join("\n"), url: page("/audit") };
      }
    }
  };
}
