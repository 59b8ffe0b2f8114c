// Steps of training for `npm run bench:native`: one request a line, one answer a line, all JSON.
//
// {"begin": {"task", "batch", "model", "how", "steps"}}: makes the trainer of
// tests/bench/trainings.mjs, takes that many steps, and answers what another program needs to take
// the same ones: the parameters before the first, the batches, and the losses and norms of
// gradients that it found.
// {"seconds": s}: milliseconds of a step, CPU time, over at least s seconds of them.

#include <ctime>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "attn/models/trainer.hpp"

namespace {

using attn::Index;
using Json = nlohmann::json;

/// The stream from which the trainer draws the batch of a step (core/src/models/trainer.cpp).
constexpr std::uint64_t kTraining = std::uint64_t{1} << 32;

attn::SequenceMixerOptions mixer_of(const Json& given) {
  attn::SequenceMixerOptions mixer;
  mixer.id = given.value("id", mixer.id);
  mixer.heads = given.value("heads", mixer.heads);
  mixer.d_k = given.value("dK", mixer.d_k);
  mixer.feature_map = given.value("featureMap", mixer.feature_map);
  const Json parameters = given.value("parameters", Json::object());
  for (const auto& [name, value] : parameters.items()) {
    mixer.parameters.emplace_back(name, value.get<double>());
  }
  return mixer;
}

attn::LanguageModelOptions model_of(const Json& given) {
  attn::LanguageModelOptions model;
  model.vocabulary = given.at("vocabulary");
  model.length = given.at("length");
  model.layers = given.at("layers");
  model.d_model = given.at("dModel");
  model.feed_forward = given.value("feedForward", model.feed_forward);
  model.positions = given.value("positions", model.positions);
  model.tied = given.value("tied", model.tied);
  model.mixers.clear();
  for (const Json& one : given.at("mixers")) model.mixers.push_back(mixer_of(one));
  return model;
}

std::shared_ptr<const attn::Task> task_of(const Json& given) {
  attn::TaskOptions task;
  task.kind = given.at("kind") == "recall" ? attn::TaskKind::kRecall : attn::TaskKind::kMarkov;
  task.vocabulary = given.at("vocabulary");
  task.length = given.at("length");
  task.seed = given.value("seed", task.seed);
  task.sharpness = given.value("sharpness", task.sharpness);
  task.pairs = given.value("pairs", task.pairs);
  return attn::make_tasks(task).training;
}

Json numbers_of(const attn::Vector<float>& all, const attn::ParameterInfo& info) {
  const float* const first = all.data() + info.offset;
  return std::vector<float>(first, first + info.count());
}

/// A trainer, and what it was before it began.
struct Training {
  std::unique_ptr<attn::Trainer<float>> trainer;
  Json answer;

  explicit Training(const Json& given) {
    const auto task = task_of(given.at("task"));
    attn::TrainerOptions options;
    options.model = model_of(given.at("model"));
    options.batch = given.at("batch");
    options.steps = Index{1} << 40;
    options.cosine = false;
    options.optimizer.learning_rate = given.at("how").at("learningRate");
    options.optimizer.weight_decay = given.at("how").at("weightDecay");
    trainer = std::make_unique<attn::Trainer<float>>(options, task);

    const auto& table = trainer->model().table().entries();
    Json parameters = Json::object(), norms = Json::object(), batches = Json::array();
    for (const attn::ParameterInfo& info : table) {
      parameters[info.name] = {{"rows", info.rows},
                               {"cols", info.cols},
                               {"vector", info.is_vector},
                               {"decays", info.decays},
                               {"data", numbers_of(trainer->model().parameters(), info)}};
    }
    for (Index i = 0; i < given.at("steps"); ++i) {
      attn::Rng rng(options.seed, kTraining + static_cast<std::uint64_t>(i));
      const attn::TaskBatch batch = task->draw(options.batch, rng);
      batches.push_back({{"tokens", batch.tokens}, {"targets", batch.targets}});
      step();
      if (i > 0) continue;
      for (const attn::ParameterInfo& info : table) {
        norms[info.name] = trainer->gradients().segment(info.offset, info.count()).norm();
      }
    }
    Json losses = Json::array();
    for (const attn::TrainingPoint& point : trainer->curve()) losses.push_back(point.loss);
    answer = {
        {"parameters", parameters}, {"batches", batches}, {"losses", losses}, {"norms", norms}};
  }

  void step() {
    const Index before = trainer->finished();
    while (trainer->finished() == before) trainer->step();
  }

  double milliseconds(double seconds) {
    const std::clock_t start = std::clock();
    for (double steps = 1;; ++steps) {
      step();
      const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      if (took >= seconds) return 1000 * took / steps;
    }
  }
};

}  // namespace

int main() {
  std::unique_ptr<Training> training;
  for (std::string line; std::getline(std::cin, line);) {
    const Json request = Json::parse(line);
    if (request.contains("begin")) {
      training = std::make_unique<Training>(request["begin"]);
      std::cout << training->answer << std::endl;
    } else {
      std::cout << Json{{"milliseconds", training->milliseconds(request.at("seconds"))}}
                << std::endl;
    }
  }
}
