/**
 * A learning system that refuses what Moodle refuses (mod/scorm, `scorm_12.js`, `request.js`), and says of every refusal
 * why. It keeps what was committed, starts the next attempt from it, and can be in review mode.
 */

type Api = Record<string, (...args: string[]) => string>;

interface Rule {
  readonly access: 'r' | 'w' | 'rw';
  readonly is?: RegExp;
}

const percent = /^(100(\.0+)?|\d{1,2}(\.\d+)?)$/;
const RULES_12: Readonly<Record<string, Rule>> = {
  'cmi.core.student_id': { access: 'r' },
  'cmi.core.lesson_mode': { access: 'r' },
  'cmi.core.entry': { access: 'r' },
  'cmi.core.lesson_status': { access: 'rw', is: /^(passed|completed|failed|incomplete|browsed)$/ },
  'cmi.core.lesson_location': { access: 'rw', is: /^[\s\S]{0,255}$/ },
  'cmi.core.score.raw': { access: 'rw', is: percent },
  'cmi.core.score.min': { access: 'rw', is: percent },
  'cmi.core.score.max': { access: 'rw', is: percent },
  'cmi.core.exit': { access: 'w', is: /^(time-out|suspend|logout|)$/ },
  'cmi.core.session_time': { access: 'w', is: /^\d{2,4}:\d{2}:\d{2}(\.\d{1,2})?$/ },
  'cmi.suspend_data': { access: 'rw', is: /^[\s\S]{0,4096}$/ },
};
const share = /^(0(\.\d+)?|1(\.0+)?)$/;
const RULES_2004: Readonly<Record<string, Rule>> = {
  'cmi.learner_id': { access: 'r' },
  'cmi.mode': { access: 'r' },
  'cmi.entry': { access: 'r' },
  'cmi.completion_status': {
    access: 'rw',
    is: /^(completed|incomplete|not attempted|unknown)$/,
  },
  'cmi.success_status': { access: 'rw', is: /^(passed|failed|unknown)$/ },
  'cmi.location': { access: 'rw', is: /^[\s\S]{0,1000}$/ },
  'cmi.score.raw': { access: 'rw', is: /^-?\d+(\.\d+)?$/ },
  'cmi.score.min': { access: 'rw', is: /^-?\d+(\.\d+)?$/ },
  'cmi.score.max': { access: 'rw', is: /^-?\d+(\.\d+)?$/ },
  'cmi.score.scaled': { access: 'rw', is: share },
  'cmi.progress_measure': { access: 'rw', is: share },
  'cmi.exit': { access: 'w', is: /^(time-out|suspend|logout|normal|)$/ },
  'cmi.session_time': { access: 'w', is: /^PT(\d+H)?(\d+M)?(\d+(\.\d{1,2})?S)?$/ },
  'cmi.suspend_data': { access: 'rw', is: /^[\s\S]{0,64000}$/ },
};

/** The elements of one interaction. A system keeps them, and in 1.2 never gives them back. */
const INTERACTIONS: Readonly<Record<'1.2' | '2004', Readonly<Record<string, RegExp>>>> = {
  '1.2': {
    id: /^[!-~]{1,255}$/,
    time: /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,2})?$/,
    type: /^(true-false|choice|fill-in|matching|performance|sequencing|likert|numeric)$/,
    student_response: /^[\s\S]{0,255}$/,
    result: /^(correct|wrong|unanticipated|neutral|-?\d+(\.\d+)?)$/,
  },
  '2004': {
    id: /^[!-~]{1,4000}$/,
    timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,2}(Z|[+-]\d\d:\d\d)?)?$/,
    type: /^(true-false|choice|fill-in|long-fill-in|matching|performance|sequencing|likert|numeric|other)$/,
    learner_response: /^[\s\S]{0,4000}$/,
    result: /^(correct|incorrect|unanticipated|neutral|-?\d+(\.\d+)?)$/,
  },
};
const INTERACTION = /^cmi\.interactions\.(\d+)\.(\w+)$/;

export interface StrictOptions {
  readonly version: '1.2' | '2004';
  readonly student?: string;
  readonly mode?: 'normal' | 'review' | 'browse';
  /** From the first time the page is out of sight, commits go by a beacon, which answers "true" to everything. */
  readonly beacons?: boolean;
  /** Elements that this system does not know, by what they begin with. */
  readonly without?: readonly string[];
}

export class StrictLms {
  /** Every call, as text. */
  readonly calls: string[] = [];
  /** Every refusal: a page that behaves causes none. */
  readonly refused: string[] = [];
  /** What is kept after the tab is gone. */
  kept: Record<string, string> = {};
  attempts = 0;
  #beacons = false;

  constructor(private options: StrictOptions) {}

  change(options: Partial<StrictOptions>): void {
    this.options = { ...this.options, ...options };
  }

  /** The page was out of sight. */
  hide(): void {
    if (this.options.beacons) this.#beacons = true;
  }

  /** The API of a new launch. */
  launch(): { readonly API: Api } | { readonly API_1484_11: Api } {
    const { version, student = 's-1', mode = 'normal', without = [] } = this.options;
    const is12 = version === '1.2';
    const rules = is12 ? RULES_12 : RULES_2004;
    const status = is12 ? 'cmi.core.lesson_status' : 'cmi.completion_status';
    const first = is12 ? 'not attempted' : 'unknown';
    this.attempts += 1;
    this.#beacons = false;
    // What is not suspended starts anew.
    const resumed = this.kept.exit === 'suspend' || mode === 'review';
    const values: Record<string, string> = {
      ...(resumed ? this.kept : {}),
      [is12 ? 'cmi.core.student_id' : 'cmi.learner_id']: student,
      [is12 ? 'cmi.core.lesson_mode' : 'cmi.mode']: mode,
      [is12 ? 'cmi.core.entry' : 'cmi.entry']: resumed ? 'resume' : 'ab-initio',
    };
    values[status] ??= first;
    let phase: 'new' | 'open' | 'ended' = 'new';
    let code = '0';
    const refuse = (error: string, why: string): string => {
      code = error;
      this.refused.push(`${error} ${why}`);
      return 'false';
    };
    const nothing = (error: string, why: string): string => {
      refuse(error, why);
      return '';
    };
    const fine = (answer = 'true'): string => {
      code = '0';
      return answer;
    };
    /** The rule of an element; a text says why there can be no such element now. */
    const ruleOf = (name: string): Rule | string | undefined => {
      const [, index = '', part = ''] = INTERACTION.exec(name) ?? [];
      if (!part) return rules[name];
      const is = INTERACTIONS[version][part];
      if (!is) return undefined;
      const ids = Object.keys(values).filter((one) => /^cmi\.interactions\.\d+\.id$/.test(one));
      if (Number(index) > ids.length) return 'a hole before it';
      if (Number(index) === ids.length && part !== 'id') return 'no id yet';
      return { access: is12 ? 'w' : 'rw', is };
    };
    const keep = (): void => {
      const { [is12 ? 'cmi.core.exit' : 'cmi.exit']: exit = '', ...rest } = values;
      this.kept = { ...rest, exit };
    };
    const answers: Record<string, (...args: unknown[]) => string> = {
      initialize: (...args) => {
        if (args.length !== 1 || args[0] !== '') return refuse('201', 'initialize without ""');
        if (phase !== 'new') return refuse('101', 'initialized twice');
        phase = 'open';
        return fine();
      },
      get: (name) => {
        if (phase !== 'open') return nothing('301', `get ${name} while ${phase}`);
        const rule = rules[String(name)];
        if (!rule) return nothing('401', `get ${name}`);
        if (rule.access === 'w') return nothing('404', `get ${name}: write only`);
        const value = values[String(name)];
        // In 2004 an element without a value is an error, which a page has to take as empty.
        if (value === undefined && !is12) {
          code = '403';
          return '';
        }
        return fine(value ?? '');
      },
      set: (name, value) => {
        if (phase !== 'open') return refuse('301', `set ${name} while ${phase}`);
        if (without.some((one) => String(name).startsWith(one))) {
          code = '401';
          return 'false';
        }
        const rule = ruleOf(String(name));
        if (!rule) return refuse('401', `set ${name}`);
        if (typeof rule === 'string') return refuse(is12 ? '201' : '351', `set ${name}: ${rule}`);
        if (rule.access === 'r') return refuse('403', `set ${name}: read only`);
        if (mode !== 'normal') return refuse('403', `set ${name} in ${mode}`);
        if (typeof value !== 'string') return refuse('405', `set ${name}: no text`);
        if (!rule.is?.test(value)) return refuse('405', `set ${name} to ${value.slice(0, 40)}`);
        values[String(name)] = value;
        return fine();
      },
      commit: (...args) => {
        if (phase !== 'open') return refuse('301', `commit while ${phase}`);
        if (args[0] !== '') return refuse('201', 'commit without ""');
        if (mode === 'normal') keep();
        return fine();
      },
      finish: (...args) => {
        if (phase !== 'open') return refuse('301', `finish while ${phase}`);
        if (args[0] !== '') return refuse('201', 'finish without ""');
        phase = 'ended';
        if (mode === 'normal') {
          // An attempt whose status nobody set counts as completed.
          if (values[status] === 'not attempted') values[status] = 'completed';
          keep();
        }
        return fine();
      },
      error: () => code,
    };
    const names = is12
      ? ['LMSInitialize', 'LMSFinish', 'LMSGetValue', 'LMSSetValue', 'LMSCommit', 'LMSGetLastError']
      : ['Initialize', 'Terminate', 'GetValue', 'SetValue', 'Commit', 'GetLastError'];
    const keys = ['initialize', 'finish', 'get', 'set', 'commit', 'error'];
    const api = Object.fromEntries(
      names.map((name, i) => [
        name,
        (...args: unknown[]) => {
          this.calls.push(`${keys[i]}(${args.join(', ')})`);
          const answer = answers[keys[i] as string]?.(...args) ?? '';
          return this.#beacons && (keys[i] === 'commit' || keys[i] === 'finish') ? 'true' : answer;
        },
      ]),
    ) as unknown as Api;
    return is12 ? { API: api } : { API_1484_11: api };
  }
}
