/** The panel about the binary that runs: why it was chosen, and on which machine. */
import { html, nothing, type TemplateResult } from 'lit';
import { builds, type KernelInfo, probes, type WorkerDownload } from '#client';
import { browserOf } from '../../src/lab/experiment/machine-description.ts';
import { speed as words } from '../../src/strings/speed.ts';
import { othersOf, reasonOf } from './binary-choice.ts';

/** The builds that this site has; by web/vite.config.ts. */
declare const __BUILDS__: readonly string[];

const probed = probes();
const canRun = (build: string): boolean => probed[build] === true;
/** The page's address with another binary asked for, as the client's loader reads it. */
function addressWith(build: string): string {
  const search = new URLSearchParams(location.search);
  search.set('build', build);
  return `?${search}`;
}

export interface Here {
  /** The build that runs; undefined while the core starts. */
  readonly build: string | undefined;
  readonly kernels: KernelInfo | undefined;
  readonly downloads: readonly WorkerDownload[];
  readonly failed: boolean;
}

export function here({ build = '', kernels, downloads, failed }: Here): TemplateResult {
  const asked = kernels !== undefined;
  const said = words.here;
  const found = Object.entries(probed);
  const named = (passed: boolean): string[] =>
    found.filter(([, has]) => has === passed).map(([name]) => said.probes[name] ?? name);
  const missing = named(false);
  const binary = downloads.find(({ url }) => url.split('?')[0]?.endsWith('.wasm'));
  const kb = (bytes: number): string => (bytes / 1000).toFixed(0);
  const choice = {
    ...{ build, builds, built: __BUILDS__, canRun },
    asked: new URLSearchParams(location.search).get('build'),
  };
  const reason = asked ? reasonOf(choice) : undefined;
  const others = othersOf(choice);
  const nameOf = (one: string): string => said.builds[one]?.split(':')[0] ?? one;
  const size = binary && binary.decodedBytes > 0 ? binary : undefined;
  return html`<section class="here" aria-labelledby="here-title">
    <h2 id="here-title">${said.title}</h2>
    <dl aria-busy=${String(!asked && !failed)}>
      <div>
        <dt>${said.binary}</dt>
        <dd>
          ${asked ? (said.builds[build] ?? build) : said.asking}
          ${
            asked && others.length > 0
              ? html`<span class="others"
                  >${said.instead}
                  ${others.map((one, i) => [
                    i > 0 ? ', ' : '',
                    html`<a href=${addressWith(one)}>${nameOf(one)}</a>`,
                  ])}</span
                >`
              : nothing
          }
        </dd>
      </div>
      <div>
        <dt>${said.why}</dt>
        <dd>
          ${reason ? `${said.reasons[reason.kind](nameOf(reason.build))}; ` : ''}${said.passed(
            named(true),
          )}${missing.length > 0 ? `; ${said.failed(missing)}` : ''}
        </dd>
      </div>
      <div>
        <dt>${said.vector}</dt>
        <dd>${kernels ? said.lanes(kernels.lanes, kernels.fusedMultiplyAdd) : '…'}</dd>
      </div>
      <div>
        <dt>${said.size}</dt>
        <dd>
          ${
            size
              ? html`${said.kilobytes(kb(size.encodedBytes), 'WebAssembly')}${
                  size.encodedBytes < size.decodedBytes ? said.unpacked(kb(size.decodedBytes)) : ''
                }${size.transferredBytes === 0 ? said.cached : ''}`
              : asked
                ? said.unknown
                : '…'
          }
        </dd>
      </div>
      <div>
        <dt>${said.cores}</dt>
        <dd>
          ${
            navigator.hardwareConcurrency
              ? said.coresNote(navigator.hardwareConcurrency)
              : said.unknown
          }
        </dd>
      </div>
      <div>
        <dt>${said.browser}</dt>
        <dd>${browserOf(navigator.userAgent)}</dd>
      </div>
    </dl>
  </section>`;
}
