import type { PackageOptions } from './package.ts';

/** `kernels-en-scorm-1.2-remote.zip` */
export const packageName = (
  options: Pick<PackageOptions, 'scorm' | 'lab' | 'exercise' | 'language' | 'remote'>,
): string => {
  const { scorm, lab, exercise, language = 'en', remote } = options;
  return `${lab || exercise}-${language}-scorm-${scorm}${remote === undefined ? '' : '-remote'}.zip`;
};
