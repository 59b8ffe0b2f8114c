/**
 * What follows `--` on the command line: `option('--seed')` takes an option with its value out and returns the value;
 * `rest` is what no option took.
 */
export function commandLine() {
  const rest = process.argv.slice(2);
  const option = (name) => {
    const at = rest.indexOf(name);
    return at < 0 ? undefined : rest.splice(at, 2)[1];
  };
  return { option, rest };
}
