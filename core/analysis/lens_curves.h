#pragma once

#include <vector>

namespace glassformer {

/// What the logit lens reads at one position after each layer, as curves over the layers.
class LensCurves {
public:
    /// A word that is the most probable after some layer, and the last layer where it is.
    struct Leader {
        int word = 0, layer = 0;
    };

    /// By layer: the logits of all words; every layer has the same number.
    explicit LensCurves(std::vector<std::vector<float>> logits);

    int layers() const { return static_cast<int>(logits_.size()); }
    /// −Σ p log₂ p of softmax(logits), in bits: how unsure the model would be if it stopped there.
    double entropy(int layer) const { return entropy_[layer]; }
    /// 1 for the most probable word; ties go to the smaller id.
    int rank(int layer, int word) const;
    /// softmax(logits) of the word, summed in double.
    double probability(int layer, int word) const;
    /// The words that are the most probable after any layer, each once: the last layer's first, then going back to the
    /// first layer.
    const std::vector<Leader>& leaders() const { return leaders_; }

private:
    std::vector<std::vector<float>> logits_;
    std::vector<double> entropy_;
    std::vector<Leader> leaders_;
};

}  // namespace glassformer
