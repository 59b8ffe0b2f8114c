// Trains a model of web/models: what `npm run train` runs.
//
//   attn_train --model reader --texts FOLDER --folder FOLDER [--steps N] [--kernels avx2]
//   attn_train --kernels avx2 --has avx2       fails where the machine does not have them
//
// Goes on from the checkpoints in --folder where there are some. With --steps it ends after so many
// steps of the first phase, keeps nothing and prints them; otherwise it writes `training.json` and
// `model.safetensors` into the folder.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "attn/models/model_file.hpp"
#include "attn/models/trainer.hpp"
#include "batches.hpp"
#include "measures.hpp"
#include "recipes.hpp"
#include "simd/simd.hpp"
#include "texts.hpp"

namespace attn::train {
namespace {

using nlohmann::json;

/// Tokens after which repeats begin again at the earliest.
constexpr Index kShortestPeriod = 8;

constexpr Index kFirstSteps = 100, kStepsOfMean = 50, kStepsOfCheckpoint = 100,
                kStepsOfHeldOut = 1000;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The kernels of one instruction set do the work, so that the bits are those of every machine that
/// has it.
void choose_kernels(const std::string& name) {
  for (const simd::Kernels* set : simd::kernel_sets()) {
    if (set->name == name) return simd::use_kernels(*set);
  }
  throw std::runtime_error("this machine has no " + name);
}

/// 64 bits that tell two vectors apart (FNV-1a).
std::string fingerprint(InVector<float> values) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t i = 0; i < static_cast<std::size_t>(values.size()) * sizeof(float); ++i) {
    hash = (hash ^ bytes[i]) * 1099511628211ULL;
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

void write_file(const std::string& path, const void* data, std::size_t size) {
  // Whole or not at all: a checkpoint that is cut short would be lost with the one before it.
  {
    std::ofstream file(path + ".new", std::ios::binary);
    file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    if (!file) throw std::runtime_error("cannot write " + path);
  }
  std::filesystem::rename(path + ".new", path);
}

void write_json(const std::string& path, const json& value) {
  const std::string text = value.dump(1) + "\n";
  write_file(path, text.data(), text.size());
}

/// One recipe on its texts.
class Training {
 public:
  Training(Recipe recipe, const std::string& texts, std::string folder)
      : recipe_(std::move(recipe)),
        texts_(texts_in(texts, recipe_.merges)),
        folder_(std::move(folder)) {
    const Index kinds = texts_.tokenizer.vocabulary();
    vocabulary_ = kinds + (recipe_.aim == Aim::kMasked ? 1 : 0);
    unigram_ = text_task(recipe_.model.length)->unigram_entropy();
  }

  const Recipe& recipe() const { return recipe_; }

  /// The first steps, as numbers to compare bit for bit.
  json first_steps(Index steps) {
    Trainer<float> trainer = trainer_of(0);
    while (trainer.finished() < steps && !trainer.step()) continue;
    json made{{"parameters", fingerprint(trainer.model().parameters())}};
    for (const TrainingPoint& point : trainer.curve()) made["losses"].push_back(point.loss);
    return made;
  }

  void run() {
    std::filesystem::create_directories(folder_);
    const std::string notes = folder_ + "/notes.json";
    if (std::filesystem::exists(notes)) notes_ = json::parse(file_of(notes));
    std::optional<LanguageModel<float>> model;
    for (std::size_t phase = 0; phase < recipe_.phases.size(); ++phase) {
      model = run_phase(phase, model);
    }
    finish(*model);
  }

 private:
  std::shared_ptr<TextTask> text_task(Index length) const {
    return std::make_shared<TextTask>(texts_.training, texts_.tokenizer.vocabulary(), length, 0,
                                      static_cast<Index>(texts_.training.size()));
  }

  Trainer<float> trainer_of(std::size_t phase) const {
    const Phase& how = recipe_.phases[phase];
    const Index kinds = texts_.tokenizer.vocabulary();
    std::shared_ptr<const Task> text = text_task(how.length);
    if (recipe_.aim == Aim::kMasked) text = std::make_shared<MaskedText>(text);
    const auto repeats = std::make_shared<RepeatTask>(
        kinds, how.length, how.kinds == 0 ? kinds : how.kinds, kShortestPeriod, how.period);
    const auto task = std::make_shared<MixedTask>(text, repeats, how.repeats);
    return Trainer<float>(trainer_options(recipe_, vocabulary_, phase), task);
  }

  /// Trains from where the checkpoint of the phase is, or from the model of the phase before it.
  LanguageModel<float> run_phase(std::size_t phase,
                                 const std::optional<LanguageModel<float>>& before) {
    const Phase& how = recipe_.phases[phase];
    const std::string checkpoint = folder_ + "/" + how.name + ".run";
    Trainer<float> trainer = trainer_of(phase);
    if (std::filesystem::exists(checkpoint)) {
      const std::string bytes = file_of(checkpoint);
      trainer.restore(snapshot_from_bytes<float>(
          {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
    } else if (before) {
      // The optimiser begins anew.
      TrainerSnapshot<float> start = trainer.snapshot();
      start.parameters = grown(*before, trainer.model());
      trainer.restore(start);
    }
    json& notes = notes_[how.name];
    // What was noted belongs to the checkpoint.
    if (!std::filesystem::exists(checkpoint)) notes = json::object();
    double start = seconds_now();
    const auto keep = [&] {
      const double now = seconds_now();
      notes["seconds"] = notes.value("seconds", 0.0) + now - start;
      start = now;
      const std::vector<std::uint8_t> bytes = to_bytes(trainer.snapshot(), recipe_.name);
      write_file(checkpoint, bytes.data(), bytes.size());
      write_json(folder_ + "/notes.json", notes_);
    };
    while (!trainer.done()) {
      const Index last = trainer.finished();
      trainer.step();
      const Index step = trainer.finished();
      if (step == last) continue;
      if (phase == 0 && step == kFirstSteps) {
        notes["parametersAfterFirst"] = fingerprint(trainer.model().parameters());
      }
      const bool last_step = trainer.done();
      if (step % kStepsOfMean == 0) {
        double mean = 0;
        for (Index i = step - kStepsOfMean; i < step; ++i) {
          mean += trainer.curve()[static_cast<std::size_t>(i)].loss / kStepsOfMean;
        }
        std::cout << how.name << ' ' << step << " loss " << mean << " seconds "
                  << notes.value("seconds", 0.0) + seconds_now() - start << std::endl;
      }
      if (recipe_.aim == Aim::kNext && (step % kStepsOfCheckpoint == 0 || last_step)) {
        const Index vocabulary = texts_.tokenizer.vocabulary();
        const Index kinds = how.kinds == 0 ? vocabulary : how.kinds;
        json probe = repeat_probe(trainer.model(), vocabulary, kinds);
        std::cout << "  repeats " << probe.dump() << std::endl;
        probe["step"] = step;
        notes["repeats"].push_back(std::move(probe));
      }
      if (how.repeats < 1 && (step % kStepsOfHeldOut == 0 || last_step)) {
        json held_out = held_out_losses(trainer.model(), texts_, recipe_.aim);
        std::cout << "  held out " << held_out.dump() << std::endl;
        held_out["step"] = step;
        notes["heldOut"].push_back(std::move(held_out));
      }
      if (step % kStepsOfCheckpoint == 0 || last_step) keep();
    }
    LanguageModel<float> model(trainer.options().model);
    model.parameters() = trainer.model().parameters();
    return model;
  }

  void finish(const LanguageModel<float>& exact);

  Recipe recipe_;
  Texts texts_;
  std::string folder_;
  Index vocabulary_ = 0;
  double unigram_ = 0;
  json notes_ = json::object();
};

double rounded(double x) { return std::round(x * 1e6) / 1e6; }

/// The log, without what only the command knows: machine, date, texts.
void Training::finish(const LanguageModel<float>& exact) {
  std::map<std::string, std::string> metadata = metadata_of(texts_.tokenizer);
  metadata["about"] = recipe_.name;
  const std::vector<std::uint8_t> bytes = to_model_file(exact, StoredNumbers::kInt8, metadata);
  write_file(folder_ + "/model.safetensors", bytes.data(), bytes.size());
  const auto stored = model_from_file<float>(bytes);

  json log;
  log["model"] = recipe_.name;
  log["seed"] = recipe_.seed;
  log["parameters"] = exact.table().size();
  log["options"] = metadata_of(exact.options());
  log["kernels"] = simd::kernels().name;
  log["unigramNatsPerToken"] = rounded(unigram_);
  log["trainingTokens"] = texts_.training.size();
  for (std::size_t i = 0; i < recipe_.phases.size(); ++i) {
    const Phase& phase = recipe_.phases[i];
    const TrainerOptions how = trainer_options(recipe_, vocabulary_, i);
    json one{{"name", phase.name},
             {"seed", how.seed},
             {"steps", phase.steps},
             {"batch", phase.batch},
             {"length", phase.length},
             {"layers", how.model.layers},
             {"feedForward", how.model.feed_forward},
             {"shareOfRepeats", phase.repeats},
             {"kindsOfRepeats", phase.kinds == 0 ? texts_.tokenizer.vocabulary() : phase.kinds},
             {"longestPeriod", phase.period},
             {"learningRate", phase.learning_rate},
             {"warmUp", phase.warm_up},
             {"cosine", phase.cosine},
             {"beta1", how.optimizer.beta1},
             {"beta2", how.optimizer.beta2},
             {"weightDecay", how.optimizer.weight_decay},
             {"clip", how.clip}};
    const std::string run = file_of(folder_ + "/" + phase.name + ".run");
    const std::vector<TrainingPoint> curve =
        snapshot_from_bytes<float>({reinterpret_cast<const std::uint8_t*>(run.data()), run.size()})
            .curve;
    if (i == 0) {
      json& first = one["firstSteps"];
      for (std::size_t s = 0; s < static_cast<std::size_t>(kFirstSteps); ++s) {
        first["losses"].push_back(curve[s].loss);
      }
      first["parameters"] = notes_[phase.name]["parametersAfterFirst"];
    }
    one["stepsOfMean"] = kStepsOfMean;
    for (std::size_t s = 0; s + kStepsOfMean <= curve.size(); s += kStepsOfMean) {
      double loss = 0, norm = 0;
      for (std::size_t at = s; at < s + kStepsOfMean; ++at) {
        loss += curve[at].loss / kStepsOfMean;
        norm += curve[at].gradient_norm / kStepsOfMean;
      }
      one["losses"].push_back(rounded(loss));
      one["gradientNorms"].push_back(rounded(norm));
    }
    for (const char* note : {"seconds", "heldOut", "repeats"}) {
      if (notes_[phase.name].contains(note)) one[note] = notes_[phase.name][note];
    }
    log["phases"].push_back(std::move(one));
  }
  log["heldOut"] = {{"float32", held_out_losses(exact, texts_, recipe_.aim)},
                    {"int8", held_out_losses(stored, texts_, recipe_.aim)}};
  const std::vector<std::int32_t>& section = texts_.held_out.front().sections.front();
  const std::vector<std::int32_t> tokens(section.begin(),
                                         section.begin() + exact.options().length / 2);
  // What whoever reads the file can compare with: the logits behind the last of some tokens.
  const Matrix<float> logits = stored.logits(tokens, 1);
  log["logits"]["tokens"] = tokens;
  for (Index i = 0; i < logits.cols(); ++i) {
    log["logits"]["last"].push_back(rounded(static_cast<double>(logits(logits.rows() - 1, i))));
  }
  log["logits"]["largestChangeByInt8"] =
      rounded(static_cast<double>((logits - exact.logits(tokens, 1)).cwiseAbs().maxCoeff()));
  log["heads"] = heads_of(stored, texts_);
  write_json(folder_ + "/training.json", log);
}

int run(const std::map<std::string, std::string>& given) {
  const auto option = [&](const std::string& name, const std::string& otherwise) {
    const auto found = given.find(name);
    return found == given.end() ? otherwise : found->second;
  };
  choose_kernels(option("kernels", "avx2"));
  // Whether the machine has these was all that was asked.
  if (given.contains("has")) return 0;
  Training training(recipe_named(option("model", "")), option("texts", ""), option("folder", ""));
  const Index steps = static_cast<Index>(std::stol(option("steps", "0")));
  if (steps > 0) {
    std::cout << training.first_steps(steps).dump() << std::endl;
  } else {
    training.run();
  }
  return 0;
}

}  // namespace
}  // namespace attn::train

int main(int count, char** arguments) {
  std::map<std::string, std::string> given;
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strncmp(arguments[i], "--", 2) == 0) given[arguments[i] + 2] = arguments[i + 1];
  }
  try {
    return attn::train::run(given);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
